import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AssetRecord, RecordingRecord } from '@runcloud/protocol';
import t from 'tap';
import { androidEmulator } from '../conformance/drivers.ts';
import { seeded } from '../conformance/random.ts';
import { withFfmpeg } from '../host/stream/ffmpeg.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { StandInKeys } from '../support/android/key-exchange.ts';
import { standInService } from '../support/android/stand-in-service.ts';
import { androidPackage, SKIP_WITHOUT_AAPT } from '../support/android-package.ts';
import { ControlClient } from '../support/control-client.ts';
import { complaints, pictureAt, probe } from '../support/mp4-judges.ts';
import { decodePng } from '../support/picture.ts';
import { ScreenWatcher } from '../support/screen-watcher.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';

const point = { x: 0.5, y: 0.5 };
const pinch = [0.1, 0.2, 0.3].map((apart, index, { length }) => ({
  phase: index === 0 ? 'begin' : index === length - 1 ? 'end' : 'move',
  points: [
    { x: 0.5 - apart, y: 0.5 },
    { x: 0.5 + apart, y: 0.5 },
  ],
  ...(index === length - 1 ? {} : { delayMs: 100 }),
}));

/** A first report that comes late has come nearer to the last one: a gesture whose times are seen shows that they are kept. */
const ROUNDS = 5;

const LETTERS = 'abcXYZ019';
/** The characters of a URL besides escapes (RFC 3986), many of which have a meaning in a shell. */
const URL_CHARACTERS = `${LETTERS}-._~!$&'()*+,;=:@/`;
const TEXT_CHARACTERS = ` "$&'()*;<>?[\\]^\`{|}~%#!-=${LETTERS}s`;

t.test('both fingers of a pinch arrive in one report, and keep their times', { skip }, async (t) => {
  const { session, server, emulator } = await standInService(t);
  const created = await session();
  const { reports, violations } = emulator.guest;
  let spentMs = 0;
  for (let round = 0; round < ROUNDS && spentMs <= 100; round++) {
    reports.length = 0;
    const { body } = await server.rest.interact(created, { action: 'gesture', steps: pinch });
    t.equal(body.status, 'completed');
    t.same(
      reports.map(({ fingers }) => fingers.length),
      [2, 2, 2, 2],
      'down, moved, moved to the end, lifted',
    );
    t.ok(reports.at(-1)?.fingers.every(({ pressure }) => pressure === 0));
    t.ok(reports.slice(0, -1).every(({ fingers }) => fingers.every(({ pressure }) => pressure === 0x400)));
    t.ok(
      reports[0]?.fingers.every(({ expiration }) => expiration === 1),
      'held as long as it takes',
    );
    spentMs = (reports[2]?.atMs ?? 0) - (reports[0]?.atMs ?? 0);
  }
  t.ok(spentMs > 100, `steps that were to take 200 ms took ${spentMs} ms`);
  t.same(violations, []);
});

t.test('an emulator from before the open call gets its input one by one, in the same order', { skip }, async (t) => {
  const { session, server, emulator } = await standInService(t, { control: 'old' });
  const created = await session();
  for (const body of [
    { action: 'tap', ...point },
    { action: 'gesture', steps: pinch },
    { action: 'pressKey', key: 'a', modifiers: ['shift', 'meta'], durationMs: 100 },
  ]) {
    t.equal((await server.rest.interact(created, body)).body.status, 'completed', body.action);
  }
  t.ok(emulator.control?.calls.includes('sendTouch') && emulator.control.calls.includes('sendKey'));
  t.same(
    emulator.guest.keys.slice(-6).map(({ name, way }) => `${name} ${way}`),
    ['42 down', '125 down', '30 down', '30 up', '125 up', '42 up'],
  );
  t.same(emulator.guest.violations, []);
});

t.test(
  'without a control service adb alone does what it can, and the rest is refused by its name',
  { skip },
  async (t) => {
    const { session, server, emulator } = await standInService(t, { control: 'none' });
    // A release from before keys could be pressed together.
    emulator.system.manners.old = true;
    const created = await session();
    const client = await ControlClient.connect(server.url, created, server.rest.authorization);
    const tap = { action: 'tap', x: 0.5, y: 0.25 };
    for (const body of [
      tap,
      { action: 'swipe', from: point, to: { x: 0.5, y: 0.3 }, durationMs: 100 },
      { action: 'typeText', text: "it's 100%s of $HOME\n" },
      { action: 'pressKey', key: 'enter' },
      { action: 'pressButton', button: 'home' },
      { action: 'rotate', orientation: 'landscape_right' },
      { action: 'scroll', deltaX: 0, deltaY: 0.2 },
      { action: 'reload' },
      { action: 'toggleSoftwareKeyboard' },
      { action: 'simulateMemoryWarning' },
    ]) {
      const { body: answer } = await server.rest.interact(created, body);
      t.equal(answer.status, 'completed', `${body.action} ${answer.error?.message ?? ''}`);
    }
    const inputs = emulator.system.log.filter(([name]) => name === 'input').map((words) => words.slice(1).join(' '));
    t.ok(inputs.includes('tap 270 300'), inputs.join('; '));
    // A literal `%s` is taken apart, because the command would make a blank of it.
    t.same(
      inputs.filter((words) => words.startsWith('text')),
      ["text it's%s100%", 'text s%sof%s$HOME'],
    );
    const { width, height } = await decodePng(await server.rest.screenshot(created));
    t.same([width, height], [1_200, 540]);
    await t.test('URLs and texts cross the service, adb and the shell as they are', async (t) => {
      const random = seeded(23);
      const some = (characters: string) =>
        Array.from({ length: 90 }, () => characters[Math.floor(random() * characters.length)]).join('');
      const { log } = emulator.system;
      for (let count = 0; count < 20; count++) {
        log.length = 0;
        const url = `https://a.example/${some(URL_CHARACTERS)}?${some(URL_CHARACTERS)}#${some(URL_CHARACTERS)}`;
        const opened = await server.rest.call('POST', `/service/android/${created.id}/open-url`, { url });
        const given = log.flatMap((words) => (words.includes('-d') ? [words.slice(words.indexOf('-d') + 1)] : []));
        t.match([opened.status, given], [200, [[url], [url]]], url);
        log.length = 0;
        const text = some(TEXT_CHARACTERS);
        await server.rest.interact(created, { action: 'typeText', text });
        // Questions about its health and its screen come in between.
        const inputs = log.filter(([name]) => name === 'input');
        const typed = inputs.map(([, verb, word = '', ...rest]) => {
          return verb === 'text' && rest.length === 0 ? word.replaceAll('%s', ' ') : '\0';
        });
        t.equal(typed.join(''), text);
      }
    });
    for (const body of [
      { action: 'gesture', steps: pinch },
      { action: 'insertText', text: 'é' },
      { action: 'pressKey', key: 'a', durationMs: 500 },
      { action: 'pressKey', key: 'a', modifiers: ['shift'] },
      { action: 'pressButton', button: 'power', durationMs: 2_000 },
    ]) {
      const { status, body: answer } = await server.rest.interact(created, body);
      t.match([status, answer.error?.code, answer.error?.retryable], [422, 'unsupported_action', false], body.action);
    }
    client.send({ type: 'pointer', requestId: 'live', phase: 'begin', points: [point] });
    t.match((await client.result('live')).error, { code: 'unsupported_action' });
    t.match(client.messages[0], { type: 'ready', capabilities: { clipboard: false } });
    for (const [method, body] of [['GET'], ['PUT', { text: 'é' }]] as const) {
      const answer = await server.rest.call(method, `/service/android/${created.id}/clipboard`, body);
      t.match([answer.status, answer.body.error?.code], [422, 'unsupported_action'], method);
    }
    await client.close();
  },
);

t.test('the pictures of the emulator are in the stream of a viewer and in a recording', { skip }, async (t) => {
  const { session, server, emulator } = await standInService(t);
  const created = await session();
  const { id, platform } = created;
  const watcher = await ScreenWatcher.connect(server.url, created, server.rest);
  watcher.send({ type: 'screen.start', encodings: ['h264'] });
  await watcher.until('the stream began', () => watcher.packets.length > 0);
  t.match(watcher.packets[0]?.header, { width: 540, height: 1_200 });
  const begun = await server.rest.call<RecordingRecord>('POST', `/service/${platform}/${id}/recordings`);
  t.equal(begun.status, 201, JSON.stringify(begun.body));
  await server.rest.interact(created, { action: 'tap', ...androidEmulator.icon(created, 'motion') });
  await watcher.until('it moved', () => watcher.packets.length > 8);
  const stopped = await server.rest.call<RecordingRecord>(
    'POST',
    `/service/${platform}/${id}/recordings/${begun.body.id}/stop`,
  );
  t.match(stopped.body, { status: 'ready' });
  const response = await server.rest.fetch(stopped.body.downloadUrl ?? '');
  const file = join(t.testdir(), 'recording.mp4');
  await writeFile(file, Buffer.from(await response.arrayBuffer()));
  watcher.close();
  t.ok(emulator.control?.calls.includes('streamScreenshot mmap'), 'through shared memory');
  await t.test('the recording shows them', withFfmpeg(), async (t) => {
    t.match((await probe(file)).streams, [{ codec_type: 'video', width: 540, height: 1_200 }]);
    t.equal(await complaints(file), '');
    const picture = await pictureAt(file, 0);
    t.ok(new Set(picture.subarray(0, 300_000)).size > 20, 'it is no empty one');
  });
});

t.test(
  'an app is installed for its session and gone after it, and settings are what they were',
  { skip: skip || SKIP_WITHOUT_AAPT },
  async (t) => {
    const { session, server, emulator } = await standInService(t);
    const before = new Map(emulator.system.settings);
    const packages = [...emulator.system.packages];
    const response = await server.rest.fetch('/service/assets', {
      method: 'POST',
      body: new Uint8Array(androidPackage()),
    });
    const asset = (await response.json()) as AssetRecord;
    const created = await session({ installAssets: [asset.id], orientation: 'landscape_left' });
    t.match(created, { orientation: 'landscape_left' });
    t.equal(emulator.system.packages.size, packages.length + 1);
    const length = emulator.system.log.find(([, verb, what]) => verb === 'package' && what === 'install')?.at(-1);
    t.equal(Number(length), asset.byteSize);
    await server.rest.interact(created, { action: 'toggleSoftwareKeyboard' });
    await server.rest.interact(created, { action: 'reload' });
    await server.rest.releaseSession(created.id);
    await emulator.system.reset();
    t.same([...emulator.system.packages], packages);
    t.same([...emulator.system.settings], [...before]);
    emulator.system.override = ([, verb, what]) =>
      verb === 'package' && what === 'install'
        ? { out: 'Failure [INSTALL_FAILED_NO_MATCHING_ABIS: arm]\n' }
        : undefined;
    await t.rejects(session({ installAssets: [asset.id] }), /simulator_unavailable.*INSTALL_FAILED_NO_MATCHING_ABIS/);
  },
);

t.test('an app that the owner of an emulator installs between two sessions stays', { skip }, async (t) => {
  const { session, server, emulator } = await standInService(t);
  const { packages, settings } = emulator.system;
  const first = await session();
  packages.add('com.example.sideloaded');
  await server.rest.releaseSession(first.id);
  await emulator.system.reset();
  t.notOk(packages.has('com.example.sideloaded'), 'what came during a session goes with it');
  packages.add('com.example.mine');
  settings.set('system accelerometer_rotation', '1');
  const kept = new Map(settings);
  const second = await session({ orientation: 'landscape_left' });
  t.ok(packages.has('com.example.mine'), 'at the beginning of the next one');
  await server.rest.releaseSession(second.id);
  await emulator.system.reset();
  t.ok(packages.has('com.example.mine'), 'and after it');
  t.same([...settings].sort(), [...kept].sort(), 'and so do settings');
});

t.test('nothing is left when the service has ended', { skip }, async (t) => {
  // The service runs in this process; others on this machine have pictures of their own.
  const shared = () => readdirSync('/dev/shm').filter((name) => name.startsWith(`runcloud-screen-${process.pid}-`));
  const servers = () =>
    readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readdirSync(`/proc/${pid}`).length > 0 && isOurAdb(pid);
      } catch {
        return false;
      }
    });
  let folder = '';
  const isOurAdb = (pid: string) => environmentOf(pid).includes(`XDG_RUNTIME_DIR=${folder}\0`);
  await t.test('while it runs', async (t) => {
    process.env.RUNCLOUD_TEST_SECRET = 'secret';
    t.teardown(() => delete process.env.RUNCLOUD_TEST_SECRET);
    const { session, host } = await standInService(t);
    folder = host.folder;
    await session();
    t.ok(servers().length > 0, 'its adb server is there');
    for (const pid of servers()) {
      const [, option, port] = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
      t.equal(option, '-P');
      t.ok(Number(port) > 1_023 && port !== '5037', `on a port of its own, which is ${port}`);
      t.notOk(environmentOf(pid).includes('RUNCLOUD_TEST_SECRET'), 'and it is told no secret of this process');
      for (const off of ['ADB_USB=0', 'ADB_EMU=0', 'ADB_MDNS=0']) t.ok(environmentOf(pid).includes(`${off}\0`), off);
    }
    t.ok(shared().length > 0, 'its pictures are there');
  });
  for (let tries = 0; tries < 600 && servers().length > 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  t.same(servers(), []);
  t.same(shared(), []);
});

function environmentOf(pid: string): string {
  return readFileSync(`/proc/${pid}/environ`, 'latin1');
}

t.test(
  'an emulator that asks for signed tokens is driven, and its folder of keys is empty afterwards',
  { skip },
  async (t) => {
    const keys = new StandInKeys();
    t.teardown(() => keys.close());
    const { server, session: open } = await standInService(t, { keys });
    const session = await open();
    t.match((await server.rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 })).body, { status: 'completed' });
    t.ok((await server.rest.screenshot(session)).length > 0);
    t.equal(keys.files.length, 1);
    await server.rest.releaseSession(session.id);
    await server.close();
    t.strictSame(keys.files, []);
  },
);
