import { RECORDING_STATUSES, type RecordingStatus } from '@runcloud/protocol';
import t from 'tap';
import { canTransition, isActive } from '../../server/recording/lifecycle.ts';

/** The table of states, as the protocol document draws it. */
const DRAWN: readonly string[] = [
  'starting > recording',
  'starting > failed',
  'recording > finalizing',
  'recording > failed',
  'finalizing > ready',
  'finalizing > failed',
  'ready > deleting',
  'failed > deleting',
  'deleting > deleted',
];

const pairs = RECORDING_STATUSES.flatMap((from) => RECORDING_STATUSES.map((to) => [from, to] as const));

t.test('the moves are those that are drawn, and no others', async (t) => {
  for (const [from, to] of pairs)
    t.equal(canTransition({ status: from }, to), DRAWN.includes(`${from} > ${to}`), `${from} > ${to}`);
});

t.test('a try that is due adds one move, and only for what failed', async (t) => {
  const added = pairs.filter(
    ([from, to]) => canTransition({ status: from, nextAttemptAtMs: 1 }, to) !== canTransition({ status: from }, to),
  );
  t.strictSame(added, [['failed', 'finalizing']]);
});

t.test('a recording is active until its finalization has ended', async (t) => {
  const active: readonly RecordingStatus[] = ['starting', 'recording', 'finalizing'];
  for (const status of RECORDING_STATUSES) t.equal(isActive(status), active.includes(status), status);
});
