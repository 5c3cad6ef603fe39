import t from 'tap';
import { RecordingLog } from '../../server/recording/recording-log.ts';
import type { RecordingRow } from '../../server/store/recording-row.ts';
import { recordingRow } from '../store/recording-rows.ts';
import { FakeClock } from '../support/fake-clock.ts';

t.test('a listener that fails affects neither the report of later changes nor the callers that wait', async (t) => {
  const told: string[] = [];
  const faults: unknown[] = [];
  const log = new RecordingLog({
    store: { insert: () => undefined, update: (row) => row, get: () => undefined },
    clock: new FakeClock(),
    durable: async () => undefined,
    onMoved: ({ id }: RecordingRow) => {
      if (id === 'first') throw new Error('the meter is broken');
      told.push(id);
    },
    onFault: (error) => void faults.push(error),
  });
  log.create(recordingRow({ id: 'first' }));
  await t.resolves(log.flushed());
  log.create(recordingRow({ id: 'second' }));
  await t.resolves(log.flushed());
  t.strictSame(told, ['second']);
  t.match(faults, [{ message: 'the meter is broken' }]);
});
