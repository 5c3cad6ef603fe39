import { CLOSE } from '@runcloud/protocol';
import t from 'tap';
import { systemClock } from '../../server/flow/clock.ts';
import { controlEngine } from '../support/control-engine.ts';
import { sendHostileFrames } from '../support/hostile-run.ts';

/** Proved at length by `test/prove/hostile-frames.prove.ts`. */
const FRAMES = 50_000;

t.test(`${FRAMES} messages with hostile names and values anywhere make no exception`, async (t) => {
  const engine = await controlEngine(systemClock);
  const { answers, closed } = await sendHostileFrames(engine, FRAMES, 20_261_122);
  t.same(engine.faults.slice(0, 3), []);
  t.ok(answers > FRAMES / 2, `${answers} answers`);
  const expected: readonly number[] = [CLOSE.undecodable.code, CLOSE.policy.code];
  for (const code of closed.keys()) t.ok(expected.includes(code), `closed with ${code}`);
});
