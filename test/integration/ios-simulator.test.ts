import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RecordingRecord } from '@runcloud/protocol';
import sharp from 'sharp';
import t from 'tap';
import { decodePictures, psnr, withFfmpeg } from '../host/stream/ffmpeg.ts';
import { slicesOf, untilSeen } from '../support/device-slices.ts';
import type { ServeSimStandIn } from '../support/ios/serve-sim-stand-in.ts';
import { standInService } from '../support/ios/stand-in-service.ts';
import { complaints, pictureAt, probe } from '../support/mp4-judges.ts';
import { decodePng } from '../support/picture.ts';
import { ScreenWatcher } from '../support/screen-watcher.ts';

const { mac, server, session, guestOf } = await standInService(t, { devicectl: true });
const { rest } = server;
const created = await session();
const guest = guestOf(created);
const helper = mac.helpers.at(-1) as ServeSimStandIn;
const [WIDTH, HEIGHT] = [590, 1_280];

const both = (apart: number) => [
  { x: 0.5 - apart, y: 0.5 },
  { x: 0.5 + apart, y: 0.5 },
];

t.test('each action of the contract reaches the simulator, and what iOS has not is refused', async (t) => {
  const does = async (body: object) => {
    const { body: answer } = await rest.interact(created, body);
    t.equal(answer.status, 'completed', `${JSON.stringify(body)} ${answer.error?.message ?? ''}`);
    return answer.result;
  };
  const told = (from: number) => guest.arrivals.slice(from).map(({ what, detail }) => [what, detail]);
  const mark = () => guest.arrivals.length;

  let from = mark();
  t.same(await does({ action: 'tap', x: 0.25, y: 0.75 }), { pointCount: 1 });
  const point = { x: 147.5 / WIDTH, y: 960.5 / HEIGHT };
  t.match(told(from), [
    ['touch', { type: 'begin', points: [point] }],
    ['touch', { type: 'end', points: [point] }],
  ]);
  await does({ action: 'pressButton', button: 'home' });
  from = mark();
  const steps = [
    { phase: 'begin', points: both(0.1), delayMs: 20 },
    { phase: 'move', points: both(0.2), delayMs: 20 },
    { phase: 'end', points: both(0.3) },
  ];
  t.same(await does({ action: 'gesture', steps }), { pointCount: 2, dispatchedSteps: 3 });
  t.same(
    told(from).map(([, detail]) => (detail as { points: object[] }).points.length),
    [2, 2, 2],
  );
  await does({ action: 'swipe', from: { x: 0.5, y: 0.6 }, to: { x: 0.5, y: 0.5 }, durationMs: 100 });
  await does({ action: 'scroll', deltaX: 0, deltaY: 0.2 });
  from = mark();
  await does({ action: 'typeText', text: 'aB\n' });
  t.same(
    told(from).map(([, detail]) => Object.values(detail as object).join(' ')),
    ['down 4', 'up 4', 'down 225', 'down 5', 'up 5', 'up 225', 'down 40', 'up 40'],
  );
  from = mark();
  await does({ action: 'pressKey', key: 'numpadEnter', modifiers: ['control', 'meta'], durationMs: 80 });
  t.same(
    told(from).map(([, detail]) => Object.values(detail as object).join(' ')),
    ['down 224', 'down 227', 'down 88', 'up 88', 'up 227', 'up 224'],
  );
  from = mark();
  await does({ action: 'pressButton', button: 'volumeDown', durationMs: 80 });
  t.match(told(from), [
    ['control', { page: 12, usage: 234, phase: 'down' }],
    ['control', { page: 12, usage: 234, phase: 'up' }],
  ]);
  await does({ action: 'pressButton', button: 'appSwitcher' });
  t.equal(guest.inspect().foreground, 'switcher');
  await rest.call('POST', `/service/ios/${created.id}/open-url`, { url: 'https://example.com/' });
  t.equal(guest.inspect().foreground, 'browser');
  const { length } = mac.calls;
  await does({ action: 'reload' });
  // Questions about its health come in between.
  const calls = mac.calls.slice(length).map((call) => call.slice(1, 4).join(' '));
  const launched = calls.indexOf('simctl launch --terminate-running-process');
  t.ok(launched > 0, calls.join('; '));
  t.ok(
    calls.slice(0, launched).some((call) => call.startsWith('simctl spawn ')),
    'what is in front was asked first',
  );
  const { keyboardShown } = guest.inspect();
  await does({ action: 'toggleSoftwareKeyboard' });
  t.equal(guest.inspect().keyboardShown, !keyboardShown);
  await does({ action: 'simulateMemoryWarning' });
  t.equal(guest.inspect().memoryWarnings, 1);
  await does({ action: 'setRenderDebug', option: 'colorMisalignedImages', enabled: true });
  t.same(guest.inspect().renderOptions, ['colorMisalignedImages']);
  t.same(await does({ action: 'rotate', orientation: 'landscape_right' }), { orientation: 'landscape_right' });
  const { width, height } = await decodePng(await rest.screenshot(created));
  t.same([width, height], [HEIGHT, WIDTH]);
  await does({ action: 'rotate', orientation: 'portrait' });

  for (const body of [
    { action: 'rotate', orientation: 'portrait_upside_down' },
    { action: 'rotateDigitalCrown', delta: 1 },
    { action: 'pressButton', button: 'back' },
  ]) {
    const { status, body: answer } = await rest.interact(created, body);
    t.match([status, answer.error?.code], [422, 'unsupported_action'], JSON.stringify(body));
  }
  from = mark();
  const held = { action: 'pressKey', key: 'x', modifiers: ['shift'], durationMs: 20_000, timeoutMs: 3_000 };
  t.equal((await rest.interact(created, held)).body.error?.code, 'interaction_timeout');
  t.same(
    told(from).map(([, detail]) => Object.values(detail as object).join(' ')),
    ['down 225', 'down 27', 'up 27', 'up 225'],
    'what was held is let go',
  );
});

t.test('a guest that an app has turned is followed: by the picture, by what is told, and by fingers', async (t) => {
  const watcher = await ScreenWatcher.connect(server.url, created, rest);
  guest.phone.rotate('landscape_left', 0);
  await watcher.until(
    'the turn was told',
    () => watcher.message('event', ({ event }) => event === 'orientation') !== undefined,
  );
  t.match(
    watcher.message('event', ({ event }) => event === 'orientation'),
    { orientation: 'landscape_left' },
  );
  guest.arrivals.length = 0;
  await rest.interact(created, { action: 'tap', x: 0.25, y: 0.1 });
  t.same(guest.inspect().events.findLast(({ type }) => type === 'touch')?.detail, {
    phase: 'end',
    points: [{ x: HEIGHT * 0.25, y: WIDTH * 0.1 }],
  });
  guest.phone.rotate('portrait', 0);
  await watcher.until(
    'the turn back was told',
    () =>
      watcher.message('event', ({ event, orientation }) => event === 'orientation' && orientation === 'portrait') !==
      undefined,
  );
  watcher.close();
});

t.test('pictures of the simulator end in a viewer and in a recording as its helper has encoded them', async (t) => {
  await rest.interact(created, { action: 'pressButton', button: 'home' });
  const watcher = await ScreenWatcher.connect(server.url, created, rest);
  watcher.send({ type: 'screen.start', encodings: ['h264'] });
  await watcher.until('the stream began', () => watcher.packets.length > 0);
  t.match(watcher.message('screen.started'), { encoding: 'h264', codec: /^avc1\./ });
  t.match(watcher.packets[0]?.header, { width: WIDTH, height: HEIGHT, orientation: 'portrait' });
  const path = `/service/ios/${created.id}/recordings`;
  const begun = await rest.call<RecordingRecord>('POST', path);
  t.equal(begun.status, 201);
  for (const x of [0.2, 0.5, 0.8, 0.3, 0.7]) {
    const swipe = { action: 'swipe', from: { x, y: 0.4 }, to: { x: 1 - x, y: 0.6 }, durationMs: 200 };
    t.equal((await rest.interact(created, swipe)).status, 200);
  }
  await untilSeen(watcher, helper.scheduler);
  const { body } = await rest.call<RecordingRecord>('POST', `${path}/${begun.body.id}/stop`);
  t.match(body, { status: 'ready', contentType: 'video/mp4' });
  t.ok(Number(body.durationMs) > 500, `${body.durationMs} ms`);
  const shown = await sharp(await rest.screenshot(created))
    .ensureAlpha()
    .raw()
    .toBuffer();
  const file = join(t.testdir(), 'recording.mp4');
  await writeFile(file, Buffer.from(await (await rest.fetch(body.downloadUrl ?? '')).arrayBuffer()));
  watcher.close();
  const payloads = watcher.packets.map(({ payload }) => payload);
  t.ok(payloads.length > 5, `${payloads.length} pictures came`);
  const seen = payloads.flatMap(slicesOf);
  t.same(
    seen.filter((slice) => !helper.scheduler.has(slice)),
    [],
    'each slice that a viewer got is one of the helper',
  );
  await t.test('FFmpeg decodes both, and finds the same slices in the file', withFfmpeg(), async (t) => {
    const pictures = await decodePictures(payloads, WIDTH * HEIGHT * 4);
    t.equal(pictures.length, payloads.length);
    const likeness = psnr(pictures.at(-1) ?? Buffer.alloc(0), shown);
    t.ok(likeness > 25, `the last one is what the screen shows: ${likeness.toFixed(1)} dB`);
    t.equal(await complaints(file), '');
    const { streams } = await probe(file);
    t.match(streams, [{ width: WIDTH, height: HEIGHT }]);
    t.equal((await pictureAt(file, 0)).length, WIDTH * HEIGHT * 3);
    const args = ['-v', 'error', '-i', file, '-c', 'copy', '-bsf:v', 'h264_mp4toannexb', '-f', 'h264', 'pipe:1'];
    const { stdout } = await promisify(execFile)('ffmpeg', args, { encoding: 'buffer', maxBuffer: 64 * 1_048_576 });
    const recorded = slicesOf(stdout);
    t.ok(recorded.length > 5, `${recorded.length} slices`);
    t.same(
      recorded.filter((slice) => !helper.scheduler.has(slice)),
      [],
      'nothing was encoded again',
    );
  });
});
