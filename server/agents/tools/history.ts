import type { HistoryEntry } from '../../../client/sdk/types.ts';
import { READS, said, tool } from '../tool.ts';

const READ_MAX = 5_000;

export const history = tool<{ last?: number }>({
  name: 'history',
  description: 'Read what was done in the session, oldest first.',
  properties: { last: { type: 'integer', minimum: 1, maximum: 100 } },
  annotations: READS,
  scope: 'session',
  async run({ given: { last = 20 }, session, signal }) {
    const kept: HistoryEntry[] = [];
    let read = 0;
    for await (const entry of (await session()).history({ signal })) {
      kept.push(entry);
      if (kept.length > last) kept.shift();
      if (++read >= READ_MAX) break;
    }
    return said(...(kept.length === 0 ? ['nothing yet'] : kept.map(lineOf)));
  },
});

const lineOf = ({ acceptedAt, action, status, fields }: HistoryEntry): string =>
  `${acceptedAt} ${action} ${status} ${JSON.stringify(fields).slice(0, 200)}`;
