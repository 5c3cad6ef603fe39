import t from 'tap';
import { type Loss, surviveFleetLosses } from '../support/fleet-losses.ts';
import { withoutNats } from '../support/nats-server.ts';
import { withoutPostgres } from '../support/postgres.ts';
import { NO_VIOLATIONS } from '../support/survive-cuts.ts';

const skip = withoutNats() || withoutPostgres();

const CASES: Readonly<Record<Loss, number>> = {
  'edge killed': 4,
  'one of two edges killed': 6,
  'NATS killed': 6,
  'PostgreSQL killed': 3,
  'edge stopped': 1,
};

for (const [loss, times] of Object.entries(CASES) as [Loss, number][]) {
  t.test(`${loss}: no answer is lost or doubled, every connection is resumed`, { skip }, async (t) => {
    const { violations, requests, resumedMs } = await surviveFleetLosses(t, Array<Loss>(times).fill(loss));
    t.strictSame(violations, NO_VIOLATIONS);
    t.ok(requests >= 400);
    // Sessions have nothing of PostgreSQL.
    if (loss === 'PostgreSQL killed')
      t.equal(resumedMs.length, 4, 'each client once, at its end: no connection is lost');
    else t.ok(resumedMs.length >= times, `${resumedMs.length} resumed`);
  });
}
