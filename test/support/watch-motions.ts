import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '@runcloud/protocol/terms';
import { icon } from '../conformance/drivers.ts';
import { RestClient } from './rest-client.ts';
import { ScreenWatcher } from './screen-watcher.ts';
import { TEST_KEY } from './server.ts';
import { serverProgram, temporaryDataDir } from './server-process.ts';

type Action = Readonly<Record<string, unknown>> & { readonly action: string };

/** A motion as a client sets it off: what comes before it, and the last action of all. */
interface WatchedMotion {
  readonly title: string;
  readonly platforms?: readonly Platform[];
  readonly before: readonly Action[];
  readonly act: Action;
}

/** The pictures of a motion that a client was sent, over all rounds. */
export interface MotionFigures {
  readonly platform: Platform;
  readonly title: string;
  /** Of one round, on average. */
  readonly pictures: number;
  /** By the times at which they were taken. */
  readonly picturesPerSecond: number;
}

/** No picture for so long: the phone stands still. */
const STILL_MS = 500;
/** Longer than a motion takes. The status bar of a phone shows each new minute, which would be counted as a late picture. */
const BEFORE_MINUTE_MS = 3_000;
const MINUTE_MS = 60_000;
const WAIT_MS = 10_000;

const press = (button: string): Action => ({ action: 'pressButton', button });
const swipe = (from: readonly [number, number], to: readonly [number, number], durationMs = 100): Action => ({
  action: 'swipe',
  from: { x: from[0], y: from[1] },
  to: { x: to[0], y: to[1] },
  durationMs,
});
const HOME = press('home');
const SWITCHER = press('appSwitcher');
const POWER = press('power');
const KEYBOARD: Action = { action: 'toggleSoftwareKeyboard' };
const UPRIGHT: Action = { action: 'rotate', orientation: 'portrait' };
/** Taps an app's icon, wherever the platform has it. */
const tapIcon = (app: string): Action => ({ action: 'tapIcon', app });
const [SCROLL, NOTES] = [tapIcon('scroll'), tapIcon('notes')];

const MOTIONS: readonly WatchedMotion[] = [
  { title: 'an app opens', before: [HOME], act: SCROLL },
  { title: 'an app with its keyboard opens', before: [HOME], act: NOTES },
  { title: 'an app closes', before: [HOME, SCROLL], act: HOME },
  { title: 'the keyboard goes', before: [HOME, NOTES], act: KEYBOARD },
  { title: 'the keyboard comes', before: [HOME, NOTES, KEYBOARD], act: KEYBOARD },
  { title: 'the app switcher comes', before: [HOME, NOTES, HOME, SCROLL], act: SWITCHER },
  { title: 'the app switcher goes', before: [HOME, SCROLL, SWITCHER], act: SWITCHER },
  { title: 'a card is thrown away', before: [HOME, NOTES, HOME, SCROLL, SWITCHER], act: swipe([0.5, 0.7], [0.5, 0.4]) },
  {
    title: 'the picture turns',
    before: [HOME, SCROLL, UPRIGHT],
    act: { action: 'rotate', orientation: 'landscape_left' },
  },
  { title: 'the picture turns back', before: [], act: UPRIGHT },
  { title: 'the screen wakes', before: [HOME, POWER], act: POWER },
  { title: 'the lock screen goes up', before: [], act: swipe([0.5, 0.8], [0.5, 0.5]) },
  { title: 'the notifications come', before: [HOME, SCROLL], act: swipe([0.2, 0.005], [0.2, 0.4]) },
  { title: 'the notifications go', before: [], act: swipe([0.5, 0.95], [0.5, 0.6]) },
  { title: 'the control centre comes', platforms: ['ios'], before: [HOME], act: swipe([0.85, 0.005], [0.85, 0.4]) },
  { title: 'the home screen turns its page', before: [HOME, HOME], act: swipe([0.8, 0.55], [0.3, 0.55]) },
  { title: 'the search comes', platforms: ['ios'], before: [HOME, HOME], act: swipe([0.5, 0.4], [0.5, 0.6]) },
];

/** Sets off each motion `rounds` times on a virtual phone of a service, and counts the pictures that a viewer is sent. */
export async function watchMotions(platform: Platform, rounds: number): Promise<readonly MotionFigures[]> {
  const dataDir = temporaryDataDir();
  const program = serverProgram(dataDir.path, { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_RATE_LIMIT: 'off' });
  try {
    const rest = new RestClient(await program.ready(), TEST_KEY);
    const session = await rest.createSession(platform);
    const watcher = await ScreenWatcher.connect(rest.url, session, rest);
    watcher.send({ type: 'screen.start', encodings: ['h264'], maxFps: 60 });
    let requests = 0;
    const act = async (action: Action): Promise<void> => {
      const fields = action.action === 'tapIcon' ? { action: 'tap', ...icon(session, String(action.app)) } : action;
      const { status } = await watcher.interact(`motion-${++requests}`, fields);
      if (status !== 'completed') throw new Error(`${action.action} on ${platform}: ${status}`);
    };
    const figures: MotionFigures[] = [await yardstick(platform, watcher, act)];
    for (const { title, platforms = [platform], before, act: last } of MOTIONS) {
      if (!platforms.includes(platform)) continue;
      let [pictures, steps, spanUs] = [0, 0, 0];
      for (let round = 0; round < rounds; round++) {
        // What one motion has led to is where the next one begins, but for the first round of a pair.
        for (const action of round === 0 || before.length > 0 ? before : reversed(title, MOTIONS)) await act(action);
        await untilStill(watcher);
        await pastMinute();
        const seen = watcher.packets.length;
        await act(last);
        await watcher.until(`${title}, to be seen`, () =>
          watcher.packets.slice(seen).some(({ header }) => !header.unchanged),
        );
        await untilStill(watcher);
        const times = watcher.packets
          .slice(seen)
          .filter(({ header }) => !header.unchanged)
          .map(({ header }) => header.capturedAtUs);
        pictures += times.length;
        steps += Math.max(0, times.length - 1);
        spanUs += (times.at(-1) ?? 0) - (times[0] ?? 0);
      }
      const picturesPerSecond = spanUs > 0 ? (steps * 1e6) / spanUs : 0;
      figures.push({ platform, title, pictures: pictures / rounds, picturesPerSecond });
    }
    watcher.close();
    return figures;
  } finally {
    program.signal('SIGKILL');
    dataDir.remove();
  }
}

/** The app that is always in motion, for two seconds: a machine that is busy sends fewer pictures of it, too. */
async function yardstick(
  platform: Platform,
  watcher: ScreenWatcher,
  act: (action: Action) => Promise<void>,
): Promise<MotionFigures> {
  await act(HOME);
  await act(tapIcon('motion'));
  await sleep(1_000);
  const seen = watcher.packets.length;
  await sleep(2_000);
  const times = watcher.packets.slice(seen).map(({ header }) => header.capturedAtUs);
  await act(HOME);
  const spanUs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const picturesPerSecond = spanUs > 0 ? ((times.length - 1) * 1e6) / spanUs : 0;
  return { platform, title: 'the app Motion, as a yardstick', pictures: times.length, picturesPerSecond };
}

/** How to get again to where a motion without a beginning of its own starts: by the motion before it in the list. */
function reversed(title: string, motions: readonly WatchedMotion[]): readonly Action[] {
  const index = motions.findIndex((motion) => motion.title === title);
  const { before, act } = motions[index - 1] ?? { before: [], act: HOME };
  return [...before, act];
}

/** Waits for the next minute where it is near. */
async function pastMinute(): Promise<void> {
  const restMs = MINUTE_MS - (Date.now() % MINUTE_MS);
  if (restMs < BEFORE_MINUTE_MS) await sleep(restMs + STILL_MS);
}

async function untilStill(watcher: ScreenWatcher): Promise<void> {
  const endMs = performance.now() + WAIT_MS;
  for (;;) {
    const seen = changes(watcher);
    await sleep(STILL_MS);
    if (changes(watcher) === seen) return;
    if (performance.now() > endMs) throw new Error('the picture does not come to rest');
  }
}

const changes = ({ packets }: ScreenWatcher): number => packets.filter(({ header }) => !header.unchanged).length;
