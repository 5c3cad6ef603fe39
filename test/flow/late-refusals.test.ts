import t from 'tap';
import { LateRefusals } from '../../server/flow/late-refusals.ts';
import { FakeClock } from '../support/fake-clock.ts';

const WAIT_MS = 1_000;
const REPLY = { status: 429, body: 'too many' };

function scripted() {
  const clock = new FakeClock();
  const refusals = new LateRefusals<typeof REPLY>({ waitMs: WAIT_MS, clock });
  let answered = 0;
  const hold = () => {
    const reply = refusals.hold(REPLY);
    if (!(reply instanceof Promise)) return false;
    void reply.then(() => answered++);
    return true;
  };
  return { clock, hold, answered: () => answered };
}

t.test('a refusal comes after its time, each at its own', async (t) => {
  const { clock, hold, answered } = scripted();
  hold();
  await clock.advance(400);
  hold();
  await clock.advance(WAIT_MS - 401);
  t.equal(answered(), 0);
  await clock.advance(1);
  t.equal(answered(), 1);
  await clock.advance(399);
  t.equal(answered(), 1);
  await clock.advance(1);
  t.equal(answered(), 2);
  t.equal(clock.waiting, 0, 'nothing waits for nobody');
  hold();
  await clock.advance(WAIT_MS);
  t.equal(answered(), 3);
});

t.test(
  'many that are due at once are answered a few at a time, with pauses that leave the loop to others',
  async (t) => {
    const { clock, hold, answered } = scripted();
    for (let count = 0; count < 100; count++) hold();
    await clock.advance(WAIT_MS);
    let before = 0;
    let pauses = 0;
    for (; answered() < 100 && pauses < 100; pauses++) {
      t.ok(answered() - before <= 4, `${answered() - before} at once`);
      before = answered();
      await clock.advance(1);
    }
    t.equal(answered(), 100);
    t.ok(pauses >= 24, `${pauses} pauses`);
    t.equal(clock.waiting, 0);
  },
);

t.test('past thousands that wait, a refusal is not held back', async (t) => {
  const { clock, hold, answered } = scripted();
  let held = 0;
  while (hold() && held < 10_000) held++;
  t.equal(held, 4_096);
  await clock.advance(WAIT_MS);
  t.ok(hold(), 'there is room again');
  await clock.advance(held + WAIT_MS);
  t.equal(answered(), held + 1);
});
