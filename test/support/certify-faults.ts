import type { Test } from 'tap';
import { ROWS } from '../../server/certify/certify.ts';
import { CertifyRun } from './certify-run.ts';
import { certifiedDriver } from './certify-stand-ins.ts';
import { temporaryDataDir } from './server-process.ts';

const FAULTY = new URL('faulty-devices.mjs', import.meta.url).pathname;

/** The rows that judge where something is touched. */
const PLACES = ['tap', 'swipe', 'gesture', 'two-fingers', 'rotation'];
/** The rows that need an input to arrive, in its time. */
const INPUTS = [
  ...PLACES,
  'double-tap',
  'long-press',
  'text',
  'insert',
  'clipboard',
  'keys',
  'cancel',
  'retry',
  'stream',
  'recording',
  'buttons',
  'apps',
];

/** An element is touched anywhere in it: one pixel beside makes no difference. */
const ELEMENTS = ['biometric'];

/** Each fault of a device, and the rows that it must fail: these, and no other. */
const FAULTS = {
  deaf: [...INPUTS, ...ELEMENTS],
  late: [...INPUTS, ...ELEMENTS],
  turned: [...PLACES, ...ELEMENTS],
  beside: PLACES,
  'loses keys': ['text'],
  'keeps its settings': ['text-size', 'slow-network'],
  'keeps its permissions': ['permissions'],
  'swallows notifications': ['push'],
  'knows every face': ['biometric'],
  'stands still': ['location'],
  'loses pictures': ['photos'],
  'old picture': ['cancel', 'screenshot', 'stream', 'recording'],
  'cuts files': ['files'],
  'logs nothing': ['logs'],
  'forgets to reset': ['snapshot', 'reset'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type Fault = keyof typeof FAULTS;
export const ALL_FAULTS = Object.keys(FAULTS) as Fault[];

/** Rows that judge by what the device tells and shows, of drivers whose devices do neither. */
const UNSEEN: Readonly<Record<string, readonly string[]>> = { 'ios-simulator': ['permissions', 'push', 'biometric'] };

/** Certifies a device of a driver that has each of these faults, a few beside each other: they mostly wait for what does not come. */
export function certifyFaults(t: Test, faults: readonly Fault[], driver = 'virtual'): void {
  const { notOffered, skip, open } = certifiedDriver(driver);
  t.jobs = 4;
  const unseen = UNSEEN[driver] ?? [];
  const failingOf = (fault: Fault) => FAULTS[fault].filter((id) => !notOffered.includes(id) && !unseen.includes(id));
  for (const fault of faults.filter((one) => failingOf(one).length > 0)) {
    const title = `a device of ${driver} that has the fault "${fault}" fails exactly the rows that tell of it`;
    t.test(title, { skip, buffered: true }, async (t) => {
      const folder = temporaryDataDir();
      const floor = await open(1);
      t.teardown(async () => {
        await floor.close();
        folder.remove();
      });
      const run = new CertifyRun(folder.path, driver === 'virtual' ? ['virtual-ios'] : [], {
        ...floor.environment,
        NODE_OPTIONS: `--import ${FAULTY}`,
        FAULTY_DEVICE: fault,
      });
      t.match(await run.ended, { code: 1 }, run.stderr);
      t.equal(run.certificate.passed, false);
      const failing: readonly string[] = failingOf(fault);
      const expected = (id: string) =>
        notOffered.includes(id) ? 'not offered' : failing.includes(id) ? 'failed' : 'passed';
      t.same(
        run.outcomes,
        ROWS.map(({ id }) => [id, expected(id)]),
        run.stdout,
      );
    });
  }
}
