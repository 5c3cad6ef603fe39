import { setTimeout as sleep } from 'node:timers/promises';
import type { ScreenEncoding } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { ScreenWatcher } from '../support/screen-watcher.ts';
import { startServer } from '../support/server.ts';

async function openSession(t: Test) {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const watch = async () => {
    const watcher = await ScreenWatcher.connect(server.url, session, { authorization: server.rest.authorization });
    t.teardown(() => watcher.close());
    return watcher;
  };
  return { server, session, watch };
}

const BEGINNINGS: Readonly<Record<ScreenEncoding, readonly number[]>> = {
  h264: [0, 0, 0, 1],
  jpeg: [0xff, 0xd8, 0xff],
  png: [0x89, 0x50, 0x4e, 0x47],
  // A tile of the whole: its place, then its size.
  tiles: [0, 0, 0, 0],
};

/** Opens an app that draws where fingers go. */
const TOUCH_LAB = { action: 'tap', x: 0.16, y: 0.92 } as const;

for (const encoding of ['jpeg', 'png', 'h264', 'tiles'] as const) {
  t.test(`${encoding}: the format, then a picture that is decodable by itself; an input changes it`, async (t) => {
    const { watch } = await openSession(t);
    const viewer = await watch();
    viewer.send({ type: 'screen.start', encodings: [encoding] });
    await viewer.until('a picture came', () => viewer.packets.length > 0);
    const [first] = viewer.packets;
    const started = viewer.message('screen.started');
    t.match(started, { streamId: first?.header.streamId, encoding, width: first?.header.width });
    t.ok(viewer.order.indexOf('screen.started') < viewer.order.indexOf(1));
    t.match(first?.header, { encoding, key: true, seq: 1, orientation: 'portrait' });
    t.same([...(first?.payload ?? [])].slice(0, BEGINNINGS[encoding].length), BEGINNINGS[encoding]);

    await viewer.interact('tap', TOUCH_LAB);
    const inputSeq = Number(viewer.message('dispatched')?.inputSeq);
    await viewer.until('a picture shows the tap', () =>
      viewer.packets.some(({ header }) => header.inputSeq >= inputSeq),
    );
    const newest = Math.max(...viewer.packets.map(({ header }) => header.seq));
    t.same(
      viewer.packets.map(({ header }) => header.seq),
      Array.from({ length: newest }, (_, index) => index + 1),
    );
    viewer.send({ type: 'screen.stop', streamId: first?.header.streamId });
    await viewer.until('it stopped', () => viewer.message('screen.stopped') !== undefined);
  });
}

t.test('a newcomer to a still screen sees it, and a rotation changes the size within the stream', async (t) => {
  const { server, session, watch } = await openSession(t);
  const first = await watch();
  first.send({ type: 'screen.start', encodings: ['h264'] });
  await first.until('a picture came', () => first.packets.length > 0);
  await sleep(300);
  const second = await ScreenWatcher.connect(server.url, session, { origin: server.url });
  t.teardown(() => second.close());
  second.send({ type: 'screen.start', encodings: ['h264'] });
  await second.until('a picture came', () => second.packets.length > 0);
  t.equal(second.packets[0]?.header.key, true);

  await first.interact('rotate', { action: 'rotate', orientation: 'landscape_left' });
  for (const viewer of [first, second]) {
    const wide = () => viewer.packets.find(({ header }) => header.width > header.height);
    await viewer.until('it turned', () => wide() !== undefined);
    t.match(wide()?.header, { key: true, orientation: 'landscape_left' });
    t.match(viewer.message('screen.started'), { width: wide()?.header.width, height: wide()?.header.height });
  }
});

t.test('a viewer that stops reading, and one that does not acknowledge, lose pictures and no answer', async (t) => {
  const { watch } = await openSession(t);
  const [quick, silent, stuck] = await Promise.all([watch(), watch(), watch()]);
  silent.acknowledges = false;
  for (const viewer of [quick, silent, stuck]) {
    viewer.send({ type: 'screen.start', encodings: ['jpeg'], quality: 100 });
    await viewer.until('a picture came', () => viewer.packets.length > 0);
  }
  await quick.interact('open', TOUCH_LAB);
  stuck.pause();
  for (let index = 0; index < 20; index++) {
    await quick.interact(`swipe-${index}`, {
      action: 'swipe',
      from: { x: index % 2 ? 0.1 : 0.9, y: 0.5 },
      to: { x: index % 2 ? 0.9 : 0.1, y: 0.5 },
      durationMs: 100,
    });
  }
  t.ok(quick.packets.length > 10, `${quick.packets.length} pictures for the quick one`);
  t.equal(silent.packets.length, 1, 'one for the one that is silent');
  t.match(await silent.interact('silent', { action: 'tap', x: 0.5, y: 0.5 }), { ok: true });
  stuck.resume();
  t.match(await stuck.interact('stuck', { action: 'tap', x: 0.5, y: 0.5 }), { ok: true });
  const inputSeq = Number(stuck.message('dispatched')?.inputSeq);
  await stuck.until('it sees the screen again', () => stuck.packets.some(({ header }) => header.inputSeq >= inputSeq));
  t.ok(stuck.packets.length < quick.packets.length);
});

t.test('too many streams of one socket are refused, and the socket goes on', async (t) => {
  const { watch } = await openSession(t);
  const viewer = await watch();
  for (let index = 0; index < 5; index++) viewer.send({ type: 'screen.start', encodings: ['jpeg'] });
  await viewer.until('it was refused', () => viewer.message('error') !== undefined);
  t.match(viewer.message('error'), { code: 'rate_limited' });
  await viewer.until('four came', () => new Set(viewer.packets.map(({ header }) => header.streamId)).size === 4);
  t.match(await viewer.interact('tap', { action: 'tap', x: 0.5, y: 0.5 }), { ok: true });
});

t.test('everybody is told how many sockets of each role there are', async (t) => {
  const { server, session, watch } = await openSession(t);
  const first = await watch();
  const counts = () => first.message('event', ({ event }) => event === 'viewers')?.viewers;
  await first.until('it counts itself', () => counts() !== undefined);
  t.same(counts(), { control: 1, view: 0 });
  const second = await ScreenWatcher.connect(server.url, session, { origin: server.url });
  await first.until('two are there', () => (counts() as { control: number }).control === 2);
  await second.until('the newcomer is told as well', () => second.message('event') !== undefined);
  second.close();
  await first.until('one is there', () => (counts() as { control: number }).control === 1);
});
