import type { ControlState } from '../../../client/sdk/types.ts';
import { ACTS, said, tool } from '../tool.ts';

interface Given {
  readonly do: 'read' | 'request' | 'take' | 'release';
}

/** Each step done again changes nothing more, so that no request id is kept for it. */
export const control = tool<Given>({
  name: 'control',
  description: 'Who may send input: read, request it, take it as the owner, or release it.',
  properties: { do: { enum: ['read', 'request', 'take', 'release'] } },
  required: ['do'],
  annotations: ACTS,
  scope: 'session',
  async run({ given: { do: what }, session, signal }) {
    const { controlLease } = await session();
    if (what === 'read') return said(wordsOf(await controlLease.read({ signal })));
    const { participant, control } = await controlLease[what]({ signal });
    return said(`you ${participant.id}`, wordsOf(control));
  },
});

function wordsOf({ holder, waiting }: ControlState): string {
  const has = holder ? `${holder.id} ${JSON.stringify(holder.label)} has control` : 'everybody may send input';
  return waiting.length === 0 ? has : `${has}; ${waiting.length} wait`;
}
