import t from 'tap';
import { SharedThumbnails, THUMBNAIL_INTERVAL_MS } from '../../server/session/shared-thumbnails.ts';
import { FakeClock } from '../support/fake-clock.ts';

function shared(fail = false) {
  const clock = new FakeClock();
  let asked = 0;
  const device = {
    thumbnail: async () => {
      asked++;
      if (fail && asked === 1) throw new Error('no picture');
      return { jpeg: Uint8Array.of(asked), width: 1, height: 1, version: asked };
    },
  };
  return { clock, thumbnails: new SharedThumbnails(device, clock), asked: () => asked };
}

t.test('however many look, the device is asked once in a while', async (t) => {
  const { clock, thumbnails, asked } = shared();
  await Promise.all(Array.from({ length: 100 }, () => thumbnails.take()));
  await clock.advance(THUMBNAIL_INTERVAL_MS - 1);
  t.equal((await thumbnails.take()).version, 1);
  t.equal(asked(), 1);
  await clock.advance(1);
  t.equal((await thumbnails.take()).version, 2);
  t.equal(asked(), 2);
});

t.test('nobody looks, nobody asks', async (t) => {
  const { clock, asked } = shared();
  await clock.advance(60_000);
  t.equal(asked(), 0);
});

t.test('a failed thumbnail is taken again for the next caller', async (t) => {
  const { thumbnails, asked } = shared(true);
  await t.rejects(thumbnails.take(), { message: 'no picture' });
  t.equal((await thumbnails.take()).version, 2);
  t.equal(asked(), 2);
});
