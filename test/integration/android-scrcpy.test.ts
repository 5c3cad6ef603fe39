import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { RecordingRecord } from '@runcloud/protocol';
import sharp from 'sharp';
import t from 'tap';
import { diagnose } from '../../server/host/doctor.ts';
import { decodePictures, psnr, withFfmpeg } from '../host/stream/ffmpeg.ts';
import { type AttachedService, attachedService } from '../support/android/attached-host.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { standInHost } from '../support/android/stand-in-emulator.ts';
import { ControlClient } from '../support/control-client.ts';
import { slicesOf, untilSeen } from '../support/device-slices.ts';
import { complaints, pictureAt, probe } from '../support/mp4-judges.ts';
import { decodePng } from '../support/picture.ts';
import { ScreenWatcher } from '../support/screen-watcher.ts';
import { startServer } from '../support/server.ts';
import { sessionInTime } from '../support/sessions-in-time.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';
const service = hasAdb ? await attachedService(t, '3.3.4') : ({} as AttachedService);
const { server, device, serial, host, session: open } = service;
const scrcpy = device?.system.scrcpy;
/** The stand-in's display of 540 pixels is encoded in 544, as multiples of eight. */
const VIDEO = { width: 544, height: 1_200 };
const SHARES = [0, 0.5, 1];
const ORIENTATIONS = ['portrait', 'landscape_left', 'portrait_upside_down', 'landscape_right'] as const;

/** An arrival that comes late has come nearer to the next one: times that are seen once show that they are kept. */
const ROUNDS = 5;

t.test("the doctor names scrcpy's server, and the lane of an attached device", { skip }, async (t) => {
  const found = await diagnose(host.environment as Record<string, string>, 'linux');
  t.match(
    found.find(({ what }) => what === "scrcpy's server"),
    { state: 'ready', detail: /scrcpy-server-v3\.3\.4 \(version 3\.3\.4\)/ },
  );
  const attached = found.find(({ what }) => what.startsWith('Attached'));
  t.match(attached, { state: 'ready', fix: undefined });
  t.ok(attached?.detail.includes(`${serial} (scrcpy's server)`));
});

t.test('a device is said to do everything of its platform, and does', { skip }, async (t) => {
  const session = await open();
  t.match(session.device, { driver: 'android-adb', model: device.avd, width: 540, height: 1_200 });
  const client = await ControlClient.connect(server.url, session, server.rest.authorization);
  t.match(client.messages[0], {
    type: 'ready',
    capabilities: { fingers: 2, holds: true, freeGestures: true, clipboard: true },
  });
  const { guest } = device;
  const does = async (body: { readonly action: string; readonly [field: string]: unknown }) => {
    const { body: answer } = await server.rest.interact(session, body);
    t.equal(answer.status, 'completed', `${body.action} ${answer.error?.message ?? ''}`);
    return answer;
  };

  let heldMs = 0;
  for (let round = 0; round < ROUNDS && heldMs < 299; round++) {
    guest.keys.length = 0;
    await does({ action: 'pressKey', key: 'a', modifiers: ['shift', 'meta'], durationMs: 300 });
    t.same(
      guest.keys.map(({ name, way }) => `${name} ${way}`),
      ['59 down', '117 down', '29 down', '29 up', '117 up', '59 up'],
    );
    heldMs = (guest.keys[3]?.atMs ?? 0) - (guest.keys[2]?.atMs ?? 0);
  }
  t.ok(heldMs >= 299, `held for ${heldMs} ms`);
  await does({ action: 'pressButton', button: 'volumeUp', durationMs: 200 });
  guest.texts.length = 0;
  const text = `it's ${'long '.repeat(130)}of $HOME`;
  await does({ action: 'typeText', text: `${text}\n` });
  t.equal(guest.texts.join(''), text);
  t.ok(guest.texts.every((piece) => piece.length <= 300));
  await does({ action: 'insertText', text: 'Grüße 你好 😀' });
  t.equal(guest.phone.clipboard, 'Grüße 你好 😀');
  const { input } = scrcpy;
  if (input) input.keepsClipboard = true;
  const { body: kept } = await server.rest.interact(session, { action: 'insertText', text: 'never' });
  t.match(kept, { status: 'failed', error: { code: 'interaction_failed', message: /has not taken the text/ } });
  const clipboard = `/service/android/${session.id}/clipboard`;
  const unwritten = await server.rest.call('PUT', clipboard, { text: 'never' });
  t.match(unwritten, {
    status: 500,
    body: { error: { code: 'interaction_failed', message: /has not taken the text/ } },
  });
  if (input) input.keepsClipboard = false;
  if (input) input.hidesClipboard = true;
  const unread = await server.rest.call('GET', clipboard);
  t.match(unread, { status: 500, body: { error: { code: 'interaction_failed', message: /does not tell/ } } });
  if (input) input.hidesClipboard = false;
  t.match(await server.rest.call('PUT', clipboard, { text: 'taken' }), { status: 200, body: { text: 'taken' } });
  await does({ action: 'scroll', deltaX: 0, deltaY: 0.2 });
  await does({ action: 'swipe', from: { x: 0.5, y: 0.5 }, to: { x: 0.5, y: 0.3 }, durationMs: 100 });

  client.send({ type: 'pointer', requestId: 'live', phase: 'begin', points: [{ x: 0.25, y: 0.5 }] });
  client.send({ type: 'pointer', requestId: 'live', phase: 'move', points: [{ x: 0.5, y: 0.5 }] });
  client.send({ type: 'pointer', requestId: 'live', phase: 'end', points: [{ x: 0.5, y: 0.5 }] });
  t.match(await client.result('live'), { status: 'completed' });
  t.same(guest.phone.inspect().pointers, []);
  await client.close();
  t.same([guest.violations, scrcpy.input?.dropped], [[], 0]);
  await server.rest.releaseSession(session.id);
  // A release does not wait for the reset of its device.
  for (let tries = 0; tries < 600 && guest.phone.clipboard !== ''; tries++) await sleep(50);
  t.equal(guest.phone.clipboard, '', 'the next session finds nothing of it');
});

t.test('both fingers of a pinch arrive at once, and keep their times', { skip }, async (t) => {
  const session = await open();
  const at = (apart: number) => [
    { x: 0.5 - apart, y: 0.5 },
    { x: 0.5 + apart, y: 0.5 },
  ];
  const steps = [
    { phase: 'begin', points: at(0.1), delayMs: 100 },
    { phase: 'move', points: at(0.2), delayMs: 100 },
    { phase: 'end', points: at(0.3) },
  ];
  let spentMs = 0;
  for (let round = 0; round < ROUNDS && spentMs < 199; round++) {
    const begin = scrcpy.input?.touches.length ?? 0;
    const { body } = await server.rest.interact(session, { action: 'gesture', steps });
    t.equal(body.status, 'completed');
    const touches = scrcpy.input?.touches.slice(begin) ?? [];
    t.same(
      touches.map(({ action, finger }) => `${action} ${finger}`),
      ['down 0', 'down 1', 'move 0', 'move 1', 'move 0', 'move 1', 'up 0', 'up 1'],
    );
    for (let index = 0; index < touches.length; index += 2) {
      t.equal(touches[index]?.arrival, touches[index + 1]?.arrival, 'in one piece');
    }
    spentMs = (touches.at(-1)?.atMs ?? 0) - (touches[0]?.atMs ?? 0);
  }
  t.ok(spentMs >= 199, `steps that were to take 200 ms took ${spentMs} ms`);
  t.same(device.guest.violations, []);
  await server.rest.releaseSession(session.id);
});

t.test('every corner, edge and centre is hit in every orientation, and screenshots are exact', { skip }, async (t) => {
  const session = await open();
  for (const orientation of ORIENTATIONS) {
    await server.rest.interact(session, { action: 'rotate', orientation });
    const lying = orientation.startsWith('landscape');
    const [width, height] = lying ? [1_200, 540] : [540, 1_200];
    const picture = await decodePng(await server.rest.screenshot(session));
    t.same([picture.width, picture.height], [width, height], orientation);
    for (const x of SHARES) {
      for (const y of SHARES) {
        const { body } = await server.rest.interact(session, { action: 'tap', x, y });
        t.equal(body.status, 'completed');
        const touch = scrcpy.input?.touches.at(-1);
        const video = lying ? { width: VIDEO.height, height: VIDEO.width } : VIDEO;
        // As scrcpy's server counts back, with the fraction cut off.
        const hit = [((touch?.x ?? -1) * width) / video.width, ((touch?.y ?? -1) * height) / video.height];
        const wanted = [x * width, y * height].map(Math.floor);
        t.same(
          hit.map(Math.trunc),
          [Math.min(width - 1, wanted[0] ?? 0), Math.min(height - 1, wanted[1] ?? 0)],
          `${orientation} ${x}, ${y}`,
        );
      }
    }
  }
  t.same([device.guest.violations, scrcpy.input?.dropped], [[], 0]);
  await server.rest.releaseSession(session.id);
});

t.test(
  'a device that turns by itself is followed, and a finger that is down stays on its place',
  { skip },
  async (t) => {
    const session = await open();
    const begin = scrcpy.input?.touches.length ?? 0;
    const client = await ControlClient.connect(server.url, session, server.rest.authorization);
    const step = (phase: string, x: number) =>
      client.send({ type: 'pointer', requestId: 'turned', phase, points: [{ x, y: 0.2 }] });
    step('begin', 0.2);
    await client.next('dispatched');
    // A device that turns lets go by what was told in the size from before: it has to have the finger by then.
    while (scrcpy.input?.touches.length === begin) await sleep(5);
    device.guest.turnTo(3);
    await client.next('event', (event) => event.event === 'orientation' && event.orientation === 'landscape_right');
    step('move', 0.3);
    await client.next('dispatched', ({ steps = 0 }) => steps === 2);
    step('end', 0.3);
    t.match(await client.result('turned'), { status: 'completed' });
    await client.close();
    const places = scrcpy.input?.touches.slice(begin).map(({ action, x, y }) => [action, x, y]);
    // The pixel 162, 240 of the upright display is 959, 162 when it is turned clockwise: 1200 - 1 - 240, and across 544.
    t.same(places, [
      ['down', 109, 240],
      ['move', 959, 164],
      ['up', 959, 164],
    ]);
    const { body } = await server.rest.call<{ orientation: string }>('GET', `/service/sessions/${session.id}`);
    t.equal(body.orientation, 'landscape_right');
    t.same([device.guest.violations, scrcpy.input?.dropped], [[], 0]);
    await server.rest.releaseSession(session.id);
  },
);

t.test("the device's own packets are in the stream of a viewer and in a recording", { skip }, async (t) => {
  const session = await open();
  const { rest } = server;
  const path = `/service/android/${session.id}/recordings`;
  const watcher = await ScreenWatcher.connect(server.url, session, rest);
  watcher.send({ type: 'screen.start', encodings: ['h264'] });
  await watcher.until('the stream began', () => watcher.packets.length > 0);
  t.match(watcher.packets[0]?.header, VIDEO);
  const begun = await rest.call<RecordingRecord>('POST', path);
  t.equal(begun.status, 201, JSON.stringify(begun.body));
  const { length } = watcher.packets;
  const came = () => watcher.packets.length - length;
  // A device that has little time draws few of the pictures of a swipe.
  for (let turn = 0; turn < 5 || (came() <= 5 && turn < 50); turn++) {
    const y = [0.3, 0.5, 0.7, 0.4, 0.6][turn % 5] ?? 0;
    const swipe = { action: 'swipe', from: { x: 0.3, y }, to: { x: 0.7, y }, durationMs: 150 };
    t.equal((await rest.interact(session, swipe)).status, 200);
    await rest.interact(session, { action: 'pressButton', button: y === 0.5 ? 'recents' : 'home' });
  }
  await untilSeen(watcher, scrcpy.scheduler);
  const { body } = await rest.call<RecordingRecord>('POST', `${path}/${begun.body.id}/stop`);
  t.match(body, { status: 'ready', contentType: 'video/mp4' });
  const shown = await sharp(await rest.screenshot(session))
    .resize({ ...VIDEO, fit: 'fill', kernel: 'nearest' })
    .ensureAlpha()
    .raw()
    .toBuffer();
  const file = join(t.testdir(), 'recording.mp4');
  await writeFile(file, Buffer.from(await (await rest.fetch(body.downloadUrl ?? '')).arrayBuffer()));
  watcher.close();
  const payloads = watcher.packets.map(({ payload }) => payload);
  t.ok(came() > 5, `${came()} pictures came`);
  t.same(
    payloads.flatMap(slicesOf).filter((slice) => !scrcpy.scheduler.has(slice)),
    [],
    "each slice that a viewer got is one of the device's",
  );
  await t.test('FFmpeg decodes both, and finds the same slices in the file', withFfmpeg(), async (t) => {
    const pictures = await decodePictures(payloads, VIDEO.width * VIDEO.height * 4);
    t.equal(pictures.length, payloads.length);
    const likeness = psnr(pictures.at(-1) ?? Buffer.alloc(0), shown);
    t.ok(likeness > 25, `the last one is what the screen shows: ${likeness.toFixed(1)} dB`);
    t.equal(await complaints(file), '');
    t.match((await probe(file)).streams, [VIDEO]);
    t.equal((await pictureAt(file, 0)).length, VIDEO.width * VIDEO.height * 3);
    const args = ['-v', 'error', '-i', file, '-c', 'copy', '-bsf:v', 'h264_mp4toannexb', '-f', 'h264', 'pipe:1'];
    const { stdout } = await promisify(execFile)('ffmpeg', args, { encoding: 'buffer', maxBuffer: 64 * 1_048_576 });
    const recorded = slicesOf(stdout);
    t.ok(recorded.length > 2, `${recorded.length} slices`);
    t.same(
      recorded.filter((slice) => !scrcpy.scheduler.has(slice)),
      [],
      'nothing was encoded again',
    );
  });
  await rest.releaseSession(session.id);
});

t.test("an emulator whose control service is off is used by scrcpy's server as well", { skip }, async (t) => {
  const emulators = await standInHost(1, { control: 'none' });
  const { RUNCLOUD_SCRCPY_SERVER } = host.environment;
  const other = await startServer({ ...emulators.environment, RUNCLOUD_SCRCPY_SERVER });
  t.teardown(async () => {
    await other.close();
    emulators.stop();
  });
  const session = await sessionInTime(other, 'android');
  t.match(session.device, { driver: 'android-emulator' });
  const points = [
    { x: 0.2, y: 0.5 },
    { x: 0.8, y: 0.5 },
  ];
  const steps = [
    { phase: 'begin', points },
    { phase: 'end', points },
  ];
  t.match((await other.rest.interact(session, { action: 'gesture', steps })).body, { status: 'completed' });
  const [emulator] = emulators.emulators;
  t.equal(emulator?.system.scrcpy.input?.touches.slice(-4).length, 4);
  t.same(emulator?.guest.violations, []);
});

t.test('nothing of a session stays on the device', { skip }, async (t) => {
  const session = await open();
  t.equal(scrcpy.running.size, 1);
  t.match(Object.fromEntries(scrcpy.starts.at(-1) ?? []), { audio: 'false', cleanup: 'true', tunnel_forward: 'true' });
  t.equal(new Set(scrcpy.starts.map((options) => options.get('scid'))).size, scrcpy.starts.length, 'no name twice');
  await server.rest.releaseSession(session.id);
  for (let tries = 0; tries < 600 && scrcpy.running.size + device.adbd.running > 0; tries++) await sleep(50);
  t.same([scrcpy.running.size, device.adbd.running, [...device.system.files.keys()]], [0, 0, []]);
});
