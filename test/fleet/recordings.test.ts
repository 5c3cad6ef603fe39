import t from 'tap';
import { type RecordingLoss, recordUnderLosses } from '../support/fleet-recordings.ts';
import { withoutNats } from '../support/nats-server.ts';
import { withoutPostgres } from '../support/postgres.ts';

const skip = withoutNats() || withoutPostgres();
const LOSSES: readonly RecordingLoss[] = ['host', 'edge', 'store', 'host', 'edge', 'store'];

t.test(
  'recordings while a host, an edge or the store is lost are ready, or have failed with a reason',
  { skip },
  async (t) => {
    const { ready, failed, findings } = await recordUnderLosses(t, LOSSES);
    t.strictSame(findings, []);
    t.ok(ready >= 3, `${ready} ready, failed: ${failed}`);
  },
);
