import t from 'tap';
import { ControlArena } from '../support/control-histories.ts';
import { linearize, type SequentialModel } from '../support/linearizable.ts';

/** Random operations on a running service at the same time, and whether they can be explained one after the other. */

type Register = { readonly write: number } | 'read';
const REGISTER: SequentialModel<number, Register, number> = {
  initial: 0,
  step: (value, input, output) => (input === 'read' ? (output === value ? value : undefined) : input.write),
};
/** What a client did, from its call to its return. */
const did = (input: Register, calledAt: number, returnedAt: number, output = 0) => ({
  client: 'any',
  input,
  output,
  calledAt,
  returnedAt,
});

t.test('the checker tells what one register can explain from what it cannot', async (t) => {
  const write = did({ write: 1 }, 1, 4);
  const explained = linearize(REGISTER, [write, did('read', 2, 3, 1), did('read', 5, 6, 1)]);
  t.same(explained?.[0], write, 'a write may take effect before it returns');
  t.ok(linearize(REGISTER, [write, did('read', 2, 3, 0), did('read', 5, 6, 1)]));
  t.notOk(linearize(REGISTER, [write, did('read', 5, 6, 0)]), 'a value that was overwritten');
  t.notOk(linearize(REGISTER, [write, did('read', 2, 3, 1), did('read', 3.5, 6, 0)]), 'a value that went back');
  t.notOk(linearize(REGISTER, [write, did('read', 5, 6, 2)]), 'a value that nobody wrote');
});

const arena = await ControlArena.open();
t.teardown(() => arena.close());

t.test('who has control is linearizable over sockets and REST', { timeout: 120_000 }, async (t) => {
  const outcomes = new Set<unknown>();
  for (let seed = 0; seed < 100; seed++) {
    const history = await arena.run(seed);
    if (!arena.isLinearizable(history)) t.fail(`seed ${seed}: ${JSON.stringify(history, undefined, 1)}`);
    for (const { output } of history) outcomes.add(typeof output === 'string' ? output : 'done');
  }
  const codes = ['control_request_not_found', 'done', 'not_in_control', 'owner_required'];
  t.same([...outcomes].sort(), codes, 'the histories meet every outcome, and no other');
});

for (const fault of ['the service does not see that time passes', 'one sends its input by force'] as const) {
  t.test(`a fault is found: ${fault}`, async (t) => {
    const wrong = [];
    for (let seed = 0; seed < 25; seed++) {
      if (!arena.isLinearizable(await arena.run(seed, fault))) wrong.push(seed);
    }
    t.comment(`in ${wrong.length} of 25 histories`);
    t.ok(wrong.length > 0);
  });
}
