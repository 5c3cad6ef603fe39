import t from 'tap';
import { type RecordingLoss, recordUnderLosses } from '../support/fleet-recordings.ts';
import { withoutNats } from '../support/nats-server.ts';
import { withoutPostgres } from '../support/postgres.ts';

const { PROVE_FLEET_RECORDINGS = '100' } = process.env;
const LOSSES: readonly RecordingLoss[] = ['host', 'edge', 'store'];

t.test(
  `${PROVE_FLEET_RECORDINGS} recordings, with a loss during each`,
  { skip: withoutNats() || withoutPostgres() },
  async (t) => {
    const losses = Array.from(
      { length: Number(PROVE_FLEET_RECORDINGS) },
      () => LOSSES[Math.floor(Math.random() * LOSSES.length)] as RecordingLoss,
    );
    const { ready, failed, findings } = await recordUnderLosses(t, losses);
    t.strictSame(findings, []);
    t.ok(ready > 0);
    t.comment(`${ready} ready, ${failed.length} failed: ${[...new Set(failed)]}`);
  },
);
