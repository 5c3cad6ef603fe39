import t from 'tap';
import { type Loss, surviveFleetLosses } from '../support/fleet-losses.ts';
import { withoutNats } from '../support/nats-server.ts';
import { withoutPostgres } from '../support/postgres.ts';
import { NO_VIOLATIONS } from '../support/survive-cuts.ts';

const { PROVE_FLEET_KILLS = '1000' } = process.env;
const kills = Number(PROVE_FLEET_KILLS);

const CASES: Readonly<Record<Loss, number>> = {
  'edge killed': Math.ceil(kills / 5),
  'one of two edges killed': kills,
  'PostgreSQL killed': Math.ceil(kills / 20),
  'NATS killed': Math.ceil(kills / 5),
  'edge stopped': Math.ceil(kills / 100),
};

for (const [loss, times] of Object.entries(CASES) as [Loss, number][]) {
  t.test(
    `${loss} ${times} times: no answer is lost or doubled`,
    { skip: withoutNats() || withoutPostgres() },
    async (t) => {
      const { violations, requests, resumedMs } = await surviveFleetLosses(t, Array<Loss>(times).fill(loss));
      t.strictSame(violations, NO_VIOLATIONS);
      const at = (share: number) => resumedMs[Math.floor((resumedMs.length - 1) * share)]?.toFixed(1);
      t.comment(`${requests} requests, ${resumedMs.length} resumed: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
    },
  );
}
