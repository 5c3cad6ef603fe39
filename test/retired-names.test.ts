import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ROOMS = ['protocol', 'server', 'client', 'bench', 'test'];
/** Folders of packages and of build results. */
const BUILT = /(^|\/)(node_modules|dist|\.tap)\//;
const SELF = 'test/retired-names.test.ts';

/** Names that the field's terms have replaced, and the replacements. Prose may use the words; code may not. */
const RETIRED: Readonly<Record<string, string>> = {
  AdbHand: 'AdbBackend',
  Allowance: 'RateLimiter',
  Allowances: 'RateLimiters',
  CannotOpen: 'OpenError',
  Captures: 'ActiveRecordings',
  Custody: 'DeviceLock',
  DeviceWish: 'DeviceQuery',
  EmulatorHand: 'EmulatorBackend',
  FairTurns: 'FairScheduler',
  FilmedHand: 'VideoBackend',
  FingerPanel: 'ScrcpyTouchState',
  FramedHand: 'FrameBackend',
  HandListener: 'BackendListener',
  IllegalMove: 'IllegalTransition',
  Intake: 'SampleQueue',
  Ledger: 'RecordingLog',
  LeaseNames: 'LeaseIds',
  Mirror: 'ScrcpySession',
  MirrorServer: 'ScrcpyServer',
  MirrorVideo: 'ScrcpyVideo',
  OpenUrlWork: 'OpenUrlRunner',
  PerformJob: 'PerformSpec',
  PerformWork: 'PerformRunner',
  Persistence: 'WriteRetryQueue',
  PictureTap: 'LocalPictureSink',
  RecordingRoom: 'RecordingServices',
  ScreenSink: 'PacketSink',
  ScreenWish: 'ScreenRequest',
  ScrcpyHand: 'ScrcpyBackend',
  Slices: 'SendScheduler',
  SocketListener: 'SocketRequestObserver',
  Standing: 'QueueNode',
  StreamEffort: 'AdaptiveQuality',
  StreamOutlet: 'EncoderSink',
  TapWish: 'SubscriptionRequest',
  Tapped: 'Subscription',
  TookTooLong: 'TimeoutError',
  TouchPanel: 'SimulatorTouchState',
  TouchScreen: 'EmulatorTouchState',
  Treatment: 'DeviceOperation',
  Turns: 'TimeSlice, Mutex or Semaphore',
  WaitingLine: 'DeviceQueue',
  WakeUps: 'SharedTimer',
  createWork: 'createRunner',
  patiently: 'timeoutUnlessStalled',
  stampNow: 'timestampNow',
  takeBack: 'cancelTimer',
  wish: 'request, query or requestedEnding',
};

/** The code without its comments and quoted texts; what a template has between its braces is code. */
function identifiersOf(text: string): Set<string> {
  const code = text
    .replace(/\/\*[\s\S]*?\*\/|(?<=^|[\s;,(){}])\/\/[^\n]*/g, ' ')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, ' ')
    .replace(/`(?:[^`\\]|\\.)*`/g, (template) => (template.match(/\$\{[^}]*\}/g) ?? []).join(' '));
  return new Set(code.match(/[A-Za-z_$][\w$]*/g));
}

const retiredIn = (text: string): string[] => [...identifiersOf(text)].filter((name) => Object.hasOwn(RETIRED, name));

t.test('a retired name is found in code, and not in prose', async (t) => {
  t.strictSame(retiredIn('const lock = new Custody(clock);'), ['Custody']);
  t.strictSame(retiredIn('this.#takeBack(); // a wish'), ['takeBack']);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this text is the code that is searched
  t.strictSame(retiredIn('const name = `a wish of ${wish.name}`;'), ['wish']);
  t.strictSame(retiredIn("/** The Turns of a wish. */ t.test('a wish takes its Turns', run);"), []);
});

t.test('no retired name is left in code or tests', async (t) => {
  const found = ROOMS.flatMap((room) =>
    readdirSync(`${ROOT}/${room}`, { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
  )
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !BUILT.test(file) && file !== SELF)
    .flatMap((file) =>
      retiredIn(readFileSync(`${ROOT}/${file}`, 'utf8')).map((name) => `${file}: ${name}, now ${RETIRED[name]}`),
    );
  t.strictSame(found, []);
});
