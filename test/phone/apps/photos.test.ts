import sharp from 'sharp';
import t from 'tap';
import { decodePhoto } from '../../../server/drivers/virtual/photo.ts';
import { ManualPhone } from '../manual-phone.ts';

async function photo(subject: ManualPhone, name: string, width: number, height: number, background = '#00c000') {
  const png = await sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();
  return decodePhoto(name, png, subject.phone.photos.sizes);
}

/** Lets a picture be decoded. */
async function decoded(subject: ManualPhone): Promise<void> {
  for (let tries = 0; tries < 200 && subject.app.decoded !== true; tries++)
    await new Promise((go) => setTimeout(go, 10));
}

for (const platform of ['ios', 'android'] as const) {
  t.test(
    `pictures are in a grid, the newest first; one is opened by a tap and closed by another, ${platform}`,
    async (t) => {
      const subject = new ManualPhone(platform);
      subject.open('photos');
      t.match(subject.app, { photos: [], opened: undefined });
      t.ok(JSON.stringify(subject.phone.describe().nodes).includes('No photos'));
      for (const name of ['one', 'two', 'three', 'four'])
        subject.phone.photos.add(await photo(subject, name, 300, 200));
      t.same(subject.app.photos, ['four', 'three', 'two', 'one']);
      const told = JSON.stringify(subject.phone.describe().nodes);
      for (const id of ['photos.1', 'photos.4', 'photos.grid']) t.ok(told.includes(`"${id}"`), id);
      t.same(subject.phone.redraw().pixels, subject.phone.render().pixels);
      const cell = subject.phone.photos.sizes.thumbnail;
      const top = subject.layout().viewport.y + subject.layout().viewport.height / 12;
      subject.tap({ x: cell * 1.5, y: top + cell / 2 });
      t.equal(subject.app.opened, 'three');
      await decoded(subject);
      t.equal(subject.app.decoded, true);
      subject.tap({ x: cell, y: top + cell });
      t.equal(subject.app.opened, undefined);
    },
  );
}

t.test('many pictures are scrolled; the hundred-and-first is refused', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('photos');
  const one = await photo(subject, 'one', 20, 20);
  for (let count = 0; count < 100; count++) subject.phone.photos.add({ ...one, name: `p${count}` });
  t.throws(() => subject.phone.photos.add(one), { kind: 'failed', message: /100 pictures/ });
  const before = JSON.stringify(subject.phone.describe().nodes);
  subject.phone.scroll(0, 1, undefined, 1);
  const after = JSON.stringify(subject.phone.describe().nodes);
  t.ok(before.includes('"photos.1"') && !after.includes('"photos.1"'));
});

t.test('a picture is kept no larger than the screen shows it, upright and without transparency', async (t) => {
  const subject = new ManualPhone('ios');
  const { edge, thumbnail } = subject.phone.photos.sizes;
  const large = await photo(subject, 'large', 4_000, 1_000);
  t.same([large.width, large.height], [edge, edge / 4]);
  t.same([large.thumbnail.width, large.thumbnail.height], [thumbnail, thumbnail]);
  const fitted = await large.fitting({ width: 100, height: 100 });
  t.same([fitted.width, fitted.height], [100, 25]);
  const clear = await photo(subject, 'clear', 10, 10, '#00000000');
  t.equal(clear.thumbnail.words[0], 0xffffffff, 'white');
  const turned = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#00c000' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const upright = await decodePhoto('turned', turned, subject.phone.photos.sizes);
  t.same([upright.width, upright.height], [20, 40]);
  await t.rejects(decodePhoto('none', Buffer.from('none'), subject.phone.photos.sizes), {
    message: /cannot be decoded/,
  });
});

t.test('a saved state has no pictures, and putting it back removes those that there are', async (t) => {
  const subject = new ManualPhone('ios');
  const first = subject.phone.save();
  subject.open('photos');
  subject.phone.photos.add(await photo(subject, 'one', 20, 20));
  const later = subject.phone.save();
  subject.phone.restore(first);
  t.same(subject.phone.photos.photos, []);
  subject.phone.restore(later);
  t.match([subject.phone.inspect().foreground, subject.app], ['photos', { photos: [] }]);
});
