import type { SessionRecord } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { attachedService } from '../support/android/attached-host.ts';
import { INNER, OUTER } from '../support/android/fold-displays.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { type StandInEmulator, standInHost } from '../support/android/stand-in-emulator.ts';
import { decodePng } from '../support/picture.ts';
import { ScreenWatcher } from '../support/screen-watcher.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { sessionInTime } from '../support/sessions-in-time.ts';
import { isDark, newestOf, packetsOf, readyDevice, startStream, startsOf } from '../support/watched-displays.ts';

/** A foldable Android device, in each of the ways in which the service reaches one. */

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';

interface Subject {
  readonly server: TestServer;
  readonly device: StandInEmulator;
  /** Pictures of the active display have the display's own size; a video's edges are multiples of eight. */
  readonly isExact: boolean;
}

const attached = async (t: Test, scrcpy?: string): Promise<Subject> => ({
  ...(await attachedService(t, scrcpy, { foldable: true })),
  isExact: scrcpy === undefined,
});

async function emulator(t: Test): Promise<Subject> {
  const host = await standInHost(1, { token: 'c3RhbmQtaW4=', foldable: true });
  const server = await startServer(host.environment);
  t.teardown(async () => {
    await server.close();
    host.stop();
  });
  return { server, device: host.emulators[0] as StandInEmulator, isExact: true };
}

const WAYS: Readonly<Record<string, (t: Test) => Promise<Subject>>> = {
  'by adb alone': (t) => attached(t),
  "by scrcpy's server 3": (t) => attached(t, '3.3.4'),
  "by scrcpy's server 4": (t) => attached(t, '4.1'),
  "by the emulator's control service": emulator,
};

const LISTED = [
  { ...INNER, active: true },
  { ...OUTER, active: false },
];
const FOLDED = [{ active: false }, { active: true }];

for (const [way, open] of Object.entries(WAYS)) {
  t.test(`a foldable ${way}: its displays are listed, shown by name, and followed`, { skip }, async (t) => {
    const { server, device, isExact } = await open(t);
    const { phone } = device.guest;
    const session = await sessionInTime(server, 'android');
    t.match(session.device, { width: INNER.width, height: INNER.height, displays: LISTED });
    const watcher = await ScreenWatcher.connect(server.url, session, server.rest);
    t.teardown(() => watcher.close());
    t.strictSame(readyDevice(watcher)?.displays, session.device.displays);

    const following = await startStream(watcher, { encodings: ['h264'] });
    const [inner, outer] = [
      await startStream(watcher, { encodings: ['png'], display: INNER.name }),
      await startStream(watcher, { encodings: ['png'], display: OUTER.name }),
    ];
    t.match(startsOf(watcher, following), [{ display: INNER.name }]);
    t.match(startsOf(watcher, inner), [{ display: INNER.name, width: INNER.width, height: INNER.height }]);
    t.match(startsOf(watcher, outer), [{ display: OUTER.name, width: OUTER.width, height: OUTER.height }]);
    t.same(await Promise.all([inner, outer].map((stream) => isDark(newestOf(watcher, stream)))), [false, true]);

    phone.fold(true);
    await watcher.until('the stream followed', () => startsOf(watcher, following).at(-1)?.display === OUTER.name);
    const [from, to] = startsOf(watcher, following);
    t.match(from, { display: INNER.name });
    if (isExact) t.match(to, { display: OUTER.name, width: OUTER.width, height: OUTER.height });
    const told = () => watcher.message('event', ({ event }) => event === 'displays');
    await watcher.until('it was told', () => told() !== undefined);
    t.match(told()?.displays, FOLDED);
    for (const [stream, dark] of [
      [inner, true],
      [outer, false],
    ] as const) {
      for (let seen = -1; (await isDark(newestOf(watcher, stream))) !== dark; ) {
        await watcher.until('the fold was seen', () => packetsOf(watcher, stream).length > seen);
        seen = packetsOf(watcher, stream).length;
      }
      t.equal(startsOf(watcher, stream).length, 1, 'a named stream stays with its display');
    }

    const { body: record } = await server.rest.call<SessionRecord>('GET', `/service/sessions/${session.id}`);
    t.match(record.device, { width: OUTER.width, height: OUTER.height, displays: FOLDED });
    const still = await decodePng(await server.rest.screenshot(session));
    t.match(still, { width: OUTER.width, height: OUTER.height }, 'a screenshot is of the active display');
    const tap = await watcher.interact('corner', { action: 'tap', x: 1, y: 1 });
    t.match(tap, { status: 'completed' });
    const last = phone.inspect().events.findLast(({ type }) => type === 'touch')?.detail;
    t.match(last, { points: [{ x: OUTER.width - 1, y: OUTER.height - 1 }] }, 'and a touch lands there');
    t.same(device.guest.violations, []);
    await server.rest.releaseSession(session.id);
  });
}
