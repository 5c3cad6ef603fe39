import { fileURLToPath } from 'node:url';
import t from 'tap';
import { drag } from '../../../bench/scenarios/drag/drag.ts';
import { tap } from '../../../bench/scenarios/tap/tap.ts';
import { runAgainst } from '../../../bench/whole/against.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const options = { seconds: 0.02, rounds: 2, layouts: ['two-cores'], controlsOnly: true } as const;

t.test('a scenario runs by turns with the one of another checkout', async (t) => {
  const said: string[] = [];
  // A checkout beside itself is another one all the same: its processes are started from the folder that is named.
  const text = await runAgainst(drag, ROOT, options, (line) => void said.push(line));
  t.match(text, /^two-cores, rows +p50Us/);
  t.match(text, /\nuWS echo +\d/);
  t.match(said, ['pair 1 of 2']);
  t.equal(said.filter((line) => /^pair/.test(line)).length, 2);
});

t.test('taps are measured here and there row by row, while the servers of both run', async (t) => {
  const said: string[] = [];
  const text = await runAgainst(tap, ROOT, { ...options, rounds: 1 }, (line) => void said.push(line));
  t.match(text, /^two-cores, rows +p50Us +p99Us/);
  t.match(text, /\nuWS echo, 1 in flight +\d/);
  t.notMatch(text, /control socket/, 'with controls alone');
  t.equal(said.length, 1);
});

t.test('a checkout that cannot run it is named', async (t) => {
  const nowhere = fileURLToPath(new URL('.', import.meta.url));
  const withService = { ...options, controlsOnly: false, rounds: 1 };
  await t.rejects(
    runAgainst(tap, nowhere, withService, () => undefined),
    { message: /test\/bench\/whole/ },
    'while that of this one runs',
  );
  await t.rejects(
    runAgainst(drag, nowhere, { ...options, rounds: 1 }, () => undefined),
    {
      message: /test\/bench\/whole/,
    },
  );
});
