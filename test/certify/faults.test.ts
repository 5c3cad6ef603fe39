import { readFileSync } from 'node:fs';
import t from 'tap';
import type { Certificate } from '../../server/certify/certificate.ts';
import { ROWS } from '../../server/certify/certify.ts';
import { Program } from '../support/server-process.ts';

const FAULTY = new URL('../support/faulty-devices.mjs', import.meta.url).pathname;

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
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  deaf: INPUTS,
  late: INPUTS,
  turned: PLACES,
  beside: PLACES,
  'loses keys': ['text'],
  'old picture': ['cancel', 'screenshot', 'stream', 'recording'],
  'forgets to reset': ['reset'],
};

// They mostly wait for what does not come.
t.jobs = 4;

for (const [fault, failing] of Object.entries(FAULTS)) {
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
      t.same(
        rows.map(({ id, outcome }) => [id, outcome]),
        ROWS.map(({ id }) => [id, failing.includes(id) ? 'failed' : 'passed']),
        run.stdout,
      );
    },
  );
}
