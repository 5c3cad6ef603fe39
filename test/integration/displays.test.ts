import type { SessionRecord } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { RunCloud, type SessionEvent } from '../../client/sdk/index.ts';
import type { Rect } from '../../server/device/driver.ts';
import { centre } from '../../server/phone/geometry.ts';
import { VIRTUAL_VARIANTS } from '../../server/phone/models.ts';
import { icon } from '../conformance/drivers.ts';
import { ScreenWatcher } from '../support/screen-watcher.ts';
import { startServer, TEST_KEY } from '../support/server.ts';
import {
  isDark,
  newestOf,
  packetsOf,
  readyDevice,
  startStream,
  startsOf,
  untilDark,
} from '../support/watched-displays.ts';

const FOLD = VIRTUAL_VARIANTS['virtual-android-fold'].descriptor;

/** A foldable, over the socket and the SDK. */

const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-android-fold:4,virtual-android:1' });
t.teardown(() => server.close());
const { rest } = server;
const [INNER, OUTER] = FOLD.displays ?? [];

const openFoldable = async (t: Test) => {
  const session = await rest.createSession('android', { deviceModel: FOLD.model });
  t.teardown(() => rest.releaseSession(session.id));
  return session;
};

async function watch(t: Test, session: SessionRecord): Promise<ScreenWatcher> {
  const watcher = await ScreenWatcher.connect(server.url, session, { authorization: rest.authorization });
  t.teardown(() => watcher.close());
  return watcher;
}

/** As a person does: by the switch in Settings. */
async function fold(session: SessionRecord, tap: (at: { x: number; y: number }) => Promise<unknown>): Promise<void> {
  await tap(icon(session, 'settings'));
  const { app } = await server.inspect('android', session.id);
  const [area] = app.switches as Rect[];
  const { width, height, scale } = session.device;
  const { x, y } = centre(area ?? { x: 0, y: 0, width: 0, height: 0 });
  const status = Math.round(34 * scale);
  await tap({ x: (x + 0.5) / width, y: (y + status + 0.5) / height });
  t.match(await server.inspect('android', session.id), { display: 'outer' });
}

const foldOver = (session: SessionRecord, watcher: ScreenWatcher) => {
  let taps = 0;
  return fold(session, (at) => watcher.interact(`tap-${++taps}`, { action: 'tap', ...at }));
};

t.test('`ready` and the record list the displays of a foldable, the active one of which is the device', async (t) => {
  const session = await openFoldable(t);
  t.strictSame(session.device, { id: session.device.id, ...FOLD });
  const watcher = await watch(t, session);
  t.strictSame(readyDevice(watcher), session.device);
});

t.test('streams show the named display or, without a name, whichever is active', async (t) => {
  const session = await openFoldable(t);
  const watcher = await watch(t, session);
  const following = await startStream(watcher, { encodings: ['png'] });
  const inner = await startStream(watcher, { encodings: ['png'], display: 'inner' });
  const outer = await startStream(watcher, { encodings: ['png'], display: 'outer' });
  t.match(startsOf(watcher, following), [{ display: 'inner', width: INNER?.width }]);
  t.match(startsOf(watcher, inner), [{ display: 'inner', width: INNER?.width }]);
  t.match(startsOf(watcher, outer), [{ display: 'outer', width: OUTER?.width }]);
  const newest = (streamId: number) => newestOf(watcher, streamId);
  t.same(await Promise.all([following, inner, outer].map((stream) => isDark(newest(stream)))), [false, false, true]);

  await foldOver(session, watcher);
  await watcher.until('the stream followed', () => startsOf(watcher, following).length === 2);
  t.match(startsOf(watcher, following)[1], { display: 'outer', width: OUTER?.width, height: OUTER?.height });
  t.match(watcher.message('event', ({ event }) => event === 'displays')?.displays, [
    { name: 'inner', active: false },
    { name: 'outer', active: true },
  ]);
  const { inputSeq } = newest(following).header;
  for (const stream of [inner, outer]) {
    await watcher.until('it shows the fold', () => newest(stream).header.inputSeq >= inputSeq);
    t.equal(startsOf(watcher, stream).length, 1, 'a named stream stays with its display');
  }
  await untilDark(watcher, inner);
  await untilDark(watcher, outer, false);
  await watcher.until('a picture of the other display came', () => newest(following).header.width === OUTER?.width);
  t.same(await Promise.all([following, inner, outer].map((stream) => isDark(newest(stream)))), [false, true, false]);
  t.match(newest(following).header, { key: true, width: OUTER?.width, height: OUTER?.height });
  t.match((await rest.call<SessionRecord>('GET', `/service/sessions/${session.id}`)).body.device, {
    width: OUTER?.width,
    height: OUTER?.height,
    displays: [{ active: false }, { active: true }],
  });
  const later = await watch(t, session);
  t.match(readyDevice(later), { width: OUTER?.width });
});

t.test('a display that the device does not have is refused by name, and the socket stays', async (t) => {
  const plain = await rest.createSession('android', { deviceModel: 'Virtual Android' });
  t.teardown(() => rest.releaseSession(plain.id));
  const refused = async (session: SessionRecord) => {
    const watcher = await watch(t, session);
    watcher.send({ type: 'screen.start', encodings: ['jpeg'], display: 'rear' });
    await watcher.until('it was refused', () => watcher.message('error') !== undefined);
    await startStream(watcher, { encodings: ['jpeg'] });
    return watcher.message('error');
  };
  const message = '"display" must be one of inner, outer.';
  t.match(await refused(await openFoldable(t)), { code: 'invalid_request', message });
  t.match(await refused(plain), { code: 'invalid_request', message: /this device has one display/ });
});

t.test('a client that knows nothing of displays goes on as before', async (t) => {
  const plain = await rest.createSession('android', { deviceModel: 'Virtual Android' });
  t.teardown(() => rest.releaseSession(plain.id));
  const client = await watch(t, plain);
  const stream = await startStream(client, { encodings: ['h264'] });
  t.notMatch(JSON.stringify([client.messages, plain]), /display/, 'a device with one display says nothing of it');
  t.notOk('display' in (startsOf(client, stream)[0] ?? {}));

  const session = await openFoldable(t);
  const old = await watch(t, session);
  const video = await startStream(old, { encodings: ['h264'] });
  await foldOver(session, old);
  const folded = () => packetsOf(old, video).findIndex(({ header }) => header.width === OUTER?.width);
  await old.until('it shows the outer display', () => folded() > 0);
  t.match(packetsOf(old, video)[folded()]?.header, { key: true, height: OUTER?.height });
  t.equal(startsOf(old, video).length, 2, 'the new size is announced as that of a rotation is');
  t.ok(old.order.indexOf('screen.started') < old.order.lastIndexOf('screen.started'));
});

t.test('the SDK names the display of each picture, and hears of a fold', async (t) => {
  const session = await openFoldable(t);
  const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });
  const handle = cloud.session({ platform: 'android', id: session.id });
  const control = await handle.connect();
  t.teardown(() => handle.disconnect());
  t.match(control.ready.session.device.displays, [{ name: 'inner', active: true }, { name: 'outer' }]);
  for await (const packet of control.screen({ encodings: ['png'], display: 'outer' })) {
    t.match(packet, { display: 'outer', width: OUTER?.width });
    break;
  }
  const heard: SessionEvent[] = [];
  control.on('event', (event) => heard.push(event));
  const shown = new Set<string | undefined>();
  const folding = fold(session, ({ x, y }) => handle.tap(x, y));
  for await (const { display } of control.screen({ encodings: ['jpeg'] })) {
    shown.add(display);
    if (display === 'outer') break;
  }
  await folding;
  t.ok(heard.some((event) => event.event === 'displays' && event.displays[1]?.active));
  t.ok([...shown].every((display) => display === 'inner' || display === 'outer'));
  const refused = control.screen({ display: 'rear' }).next();
  await t.rejects(refused, { code: 'invalid_request', message: /inner, outer/ });
  t.throws(() => control.screen({ display: '' }), RangeError);
});

t.test('a recording goes on through a fold', async (t) => {
  const session = await openFoldable(t);
  const path = `/service/android/${session.id}/recordings`;
  const { body } = await rest.call<{ id: string }>('POST', path);
  const watcher = await watch(t, session);
  await foldOver(session, watcher);
  const stopped = await rest.call('POST', `${path}/${body.id}/stop`);
  t.match(stopped, { status: 200, body: { status: 'ready', contentType: 'video/mp4' } });
});
