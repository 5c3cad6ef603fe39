import { ToolFailure } from '../failure.ts';
import { ACTS, said, tool } from '../tool.ts';

interface Given {
  readonly do: 'start' | 'stop';
  readonly recording?: string;
  readonly requestId?: string;
}

export const record = tool<Given>({
  name: 'record',
  description: 'Record the screen as MP4: start, then stop with the recording id.',
  properties: { do: { enum: ['start', 'stop'] }, recording: { type: 'string' } },
  required: ['do'],
  annotations: ACTS,
  scope: 'session',
  async run({ given: { do: what, recording, requestId }, session, signal }) {
    const { recordings } = await session();
    if (what === 'start') {
      const { id, status } = await recordings.start({ idempotencyKey: requestId, signal });
      return said(`recording ${id} · ${status}`);
    }
    if (recording === undefined) throw new ToolFailure('invalid_request', '"recording" is required to stop one.');
    const { id, status } = await recordings.stop(recording, { signal });
    return said(`recording ${id} · ${status}`);
  },
});
