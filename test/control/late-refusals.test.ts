import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { LateRefusals } from '../../server/control/late-refusals.ts';
import type { HttpReply } from '../../server/socket/http.ts';
import { FakeClock } from '../support/fake-clock.ts';

const { refusedOpeningMs } = LIMITS;
const REPLY: HttpReply = { status: 429, body: 'too many' };

/** Refusals whose turns of the event loop the test makes. */
function scripted() {
  const clock = new FakeClock();
  const turns: (() => void)[] = [];
  const refusals = new LateRefusals({ clock, defer: (task) => void turns.push(task) });
  let answered = 0;
  const hold = () => {
    const reply = refusals.hold(REPLY);
    if (!(reply instanceof Promise)) return false;
    void reply.then(() => answered++);
    return true;
  };
  const turn = async () => {
    turns.shift()?.();
    await clock.advance(0);
  };
  return { clock, turns, hold, turn, answered: () => answered };
}

t.test('a refusal comes after its time, each at its own', async (t) => {
  const { clock, hold, answered } = scripted();
  hold();
  await clock.advance(400);
  hold();
  await clock.advance(refusedOpeningMs - 401);
  t.equal(answered(), 0);
  await clock.advance(1);
  t.equal(answered(), 1);
  await clock.advance(399);
  t.equal(answered(), 1);
  await clock.advance(1);
  t.equal(answered(), 2);
  t.equal(clock.waiting, 0, 'nothing waits for nobody');
  hold();
  await clock.advance(refusedOpeningMs);
  t.equal(answered(), 3);
});

t.test('many that are due at once are answered in many turns of the event loop', async (t) => {
  const { clock, turns, hold, turn, answered } = scripted();
  for (let count = 0; count < 100; count++) hold();
  await clock.advance(refusedOpeningMs);
  let before = 0;
  let rounds = 1;
  for (; answered() < 100 && rounds < 100; rounds++) {
    t.ok(answered() - before <= 8, `${answered() - before} in one turn`);
    before = answered();
    await turn();
  }
  t.equal(answered(), 100);
  t.ok(rounds > 10, `${rounds} turns`);
  while (turns.length > 0) await turn();
  t.equal(clock.waiting, 0);
});

t.test('past thousands that wait, a refusal is not held back', async (t) => {
  const { clock, hold, turn, answered } = scripted();
  let held = 0;
  while (hold() && held < 10_000) held++;
  t.equal(held, 4_096);
  await clock.advance(refusedOpeningMs);
  t.ok(hold(), 'there is room again');
  for (let count = 0; count < 1_000; count++) await turn();
  await clock.advance(refusedOpeningMs);
  t.equal(answered(), held + 1);
});
