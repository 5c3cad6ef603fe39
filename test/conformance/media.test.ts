import type { AddedMedia } from '@runcloud/protocol';
import sharp from 'sharp';
import { conform } from './conform.ts';
import type { Subject } from './subject.ts';

/** Wider than high, and of a colour that no phone shows by itself. */
const picture = (format: 'png' | 'jpeg' | 'webp' | 'gif') =>
  sharp({ create: { width: 640, height: 320, channels: 3, background: '#ff00c8' } })
    .toFormat(format)
    .toBuffer();

async function add({ stage: { server, session } }: Subject, body: Uint8Array) {
  const init = { method: 'POST', body: new Uint8Array(body) };
  const answer = await server.rest.fetch(`/service/${session.platform}/${session.id}/media`, init);
  return { status: answer.status, body: (await answer.json()) as AddedMedia & { error?: { code: string } } };
}

/** The share of the screen that has the picture's colour; videos and JPEG change colours a little. */
async function shown(subject: Subject): Promise<number> {
  const { data } = await sharp(await subject.transport.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let count = 0;
  for (let at = 0; at < data.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
    if (red > 235 && green < 30 && blue > 180 && blue < 220) count++;
  }
  return count / (data.length / 3);
}

async function until(subject: Subject, fits: (share: number) => boolean): Promise<boolean> {
  for (let tries = 0; tries < 60; tries++) if (fits(await shown(subject))) return true;
  return false;
}

conform([
  {
    title: 'a picture is added to the photo library, seen in its grid, and opened by a tap',
    needs: ({ media, actions }) => media === true && actions.includes('launchApp'),
    async prove(t, subject) {
      const app = subject.stage.driver.appId?.('photos') ?? 'photos';
      await subject.do({ action: 'launchApp', app });
      await subject.do({ action: 'terminateApp', app });
      await subject.do({ action: 'launchApp', app });
      const photosOf = async () => ((await subject.app()).photos ?? []) as readonly string[];
      const before = (await photosOf()).length;
      const png = await picture('png');
      const { status, body } = await add(subject, png);
      t.match([status, body], [201, { mediaType: 'image/png', byteSize: png.length, readBack: Boolean }]);
      t.equal(body.readBack, !subject.stage.driver.name.startsWith('ios'));
      t.equal((await photosOf()).length, before + 1);
      t.equal((await photosOf())[0], body.name, 'the newest is the first');
      t.ok(await until(subject, (share) => share > 0.02 && share < 0.2), 'in the grid');
      const target = { text: body.name, role: 'image' };
      if (subject.can.actions.includes('tapElement') && !subject.stage.driver.name.startsWith('android')) {
        await subject.do({ action: 'tapElement', target });
      } else await subject.do({ action: 'tap', x: 1 / 6, y: 0.14 });
      t.ok(await until(subject, (share) => share > 0.15), 'by itself, across the display');
      t.match(await subject.app(), { opened: body.name, decoded: true });
      for (const format of ['jpeg', 'webp', 'gif'] as const) {
        t.match(await add(subject, await picture(format)), { status: 201, body: { mediaType: `image/${format}` } });
      }
      t.equal((await photosOf()).length, before + 4);
    },
  },
  {
    title: 'what is no picture is not added, and said to be none',
    needs: ({ media }) => media === true,
    async prove(t, subject) {
      const text = await add(subject, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
      t.match(text, { status: 400, body: { error: { code: 'invalid_request', message: /none of these: image/ } } });
      const torn = (await picture('png')).subarray(0, 60);
      const { status, body } = await add(subject, torn);
      t.match([status >= 400, body.error], [true, { code: 'interaction_failed', retryable: false }]);
      t.equal((await subject.inspect()).foreground, 'home');
    },
  },
]);
