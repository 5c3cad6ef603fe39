import { readFileSync } from 'node:fs';
import type { Test } from 'tap';
import type { Certificate } from '../../server/certify/certificate.ts';
import { ROWS } from '../../server/certify/certify.ts';
import { Program } from './server-process.ts';

const FAULTY = new URL('faulty-devices.mjs', import.meta.url).pathname;

/** The rows that judge where something is touched. */
const PLACES = ['tap', 'swipe', 'gesture', 'two-fingers', 'rotation'];
/** The rows that need an input to arrive, in its time. */
const INPUTS = [
  ...PLACES,
  'double-tap',
  'long-press',
  'text',
  'keys',
  'cancel',
  'retry',
  'stream',
  'recording',
  'buttons',
];

/** Each fault of a device, and the rows that it must fail: these, and no other. */
const FAULTS = {
  deaf: INPUTS,
  late: INPUTS,
  turned: PLACES,
  beside: PLACES,
  'loses keys': ['text'],
  'old picture': ['cancel', 'screenshot', 'stream', 'recording'],
  'forgets to reset': ['reset'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type Fault = keyof typeof FAULTS;
export const ALL_FAULTS = Object.keys(FAULTS) as Fault[];

/** Certifies a device that has each of these faults, a few beside each other: they mostly wait for what does not come. */
export function certifyFaults(t: Test, faults: readonly Fault[]): void {
  t.jobs = 4;
  for (const fault of faults) {
    t.test(
      `a device that has the fault "${fault}" fails exactly the rows that tell of it`,
      { buffered: true },
      async (t) => {
        const out = t.testdir();
        const run = new Program('server/admin.ts', ['certify', 'virtual-ios', '--yes', '--out', out], {
          NODE_OPTIONS: `--import ${FAULTY}`,
          FAULTY_DEVICE: fault,
          TMPDIR: out,
        });
        t.match(await run.ended, { code: 1 });
        const { rows, passed } = JSON.parse(readFileSync(`${out}/certificate.json`, 'utf8')) as Certificate;
        t.equal(passed, false);
        const failing: readonly string[] = FAULTS[fault];
        t.same(
          rows.map(({ id, outcome }) => [id, outcome]),
          ROWS.map(({ id }) => [id, failing.includes(id) ? 'failed' : 'passed']),
          run.stdout,
        );
      },
    );
  }
}
