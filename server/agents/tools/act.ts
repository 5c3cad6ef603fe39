import type { CallToolResult } from '@modelcontextprotocol/server';
import { RunCloudError } from '../../../client/sdk/error.ts';
import type { SessionHandle } from '../../../client/sdk/session.ts';
import { difference } from '../../../protocol/outline-difference.ts';
import { Elements } from '../elements.ts';
import { failureLine, ToolFailure } from '../failure.ts';
import { frameOf, outlineOf, stillOutline } from '../outline.ts';
import { requestOf, STEP, type Step } from '../steps.ts';
import { ACTS, text, tool } from '../tool.ts';

interface Given {
  readonly steps: readonly Step[];
  /** The frame of the refs, and what the difference is told from. */
  readonly frame?: number;
  readonly requestId?: string;
}

export const act = tool<Given>({
  name: 'act',
  description:
    'Do steps in order; stops at the first failure. Answers with what changed on the screen, and new refs. ' +
    'A step names an element by ref (with frame), by text, id, role, near, or by x, y in fractions. ' +
    'do: tap; type value (into an element or the focus); press a button (home, back, power...); key (enter, backspace...); ' +
    'swipe to toX, toY; scroll value down|up|left|right, or to a text, id or role; hold for ms; rotate to value (portrait, landscape_left...).',
  properties: {
    frame: { type: 'integer', minimum: 1 },
    steps: { type: 'array', minItems: 1, maxItems: 20, items: STEP },
  },
  required: ['steps'],
  annotations: ACTS,
  scope: 'device',
  async run({ given: { steps, frame, requestId }, session, signal }): Promise<CallToolResult> {
    const phone = await session();
    const before = frame === undefined ? undefined : await outlineOf(phone, signal);
    // Nothing reaches the device of a batch in which a step says too little.
    for (const step of steps) checkStep(step, frame);
    let done = 0;
    let failure: unknown;
    try {
      if (requestId !== undefined) done = await doneBefore(phone, steps, requestId, signal);
      const hasRefs = steps.slice(done).some(({ ref }) => ref !== undefined);
      const elements = hasRefs && frame !== undefined ? await Elements.of(phone, frame, signal) : undefined;
      let isFirst = true;
      for (const step of steps.slice(done)) {
        const { ref } = step;
        const place = ref === undefined ? undefined : await elements?.find(ref, isFirst, signal);
        const id = requestId === undefined ? {} : { requestId: `${requestId}.${done + 1}` };
        await phone.interact({ ...requestOf(step, place), ...id }, { signal });
        isFirst = false;
        done++;
      }
    } catch (error) {
      failure = error;
    }
    const words = failure === undefined ? `done ${done} of ${steps.length}` : failedAt(done, steps, failure);
    const after = await stillOutline(phone, signal).catch(unread);
    const isKnown = before !== undefined && frameOf(before) === frame;
    const screen = after === undefined ? '' : isKnown && after.startsWith('frame ') ? difference(before, after) : after;
    return { content: [text(`${words}\n${screen}`)], ...(failure === undefined ? {} : { isError: true }) };
  },
});

/** The steps are done, whatever becomes of the look at their effect. */
const unread = (error: unknown): string => `The screen could not be read: ${failureLine(error)}`;

function checkStep(step: Step, frame: number | undefined): void {
  if (step.ref === undefined) requestOf(step, undefined);
  else if (frame === undefined) throw new ToolFailure('invalid_request', '"frame" is required where a step has a ref.');
  else requestOf(step, { target: { ref: step.ref, frame }, at: { x: 0, y: 0 } });
}

/** How many steps a call with the same request id has done before. Throws the failure that ended it. */
async function doneBefore(
  session: SessionHandle,
  steps: readonly Step[],
  requestId: string,
  signal: AbortSignal,
): Promise<number> {
  for (const [index, step] of steps.entries()) {
    const state = await session.outcome(`${requestId}.${index + 1}`, { signal }).catch((error: unknown) => {
      if (error instanceof RunCloudError && error.code === 'not_found') return undefined;
      throw error;
    });
    if (state === undefined || state.status === 'pending') return index;
    const place = step.ref === undefined ? undefined : { target: { ref: step.ref, frame: 1 }, at: { x: 0, y: 0 } };
    if (state.action !== requestOf(step, place).action) {
      throw new ToolFailure(
        'duplicate_request',
        `The request id ${requestId} was used for other steps.`,
        'Choose another.',
      );
    }
    if (state.error) throw new ToolFailure(state.error.code, state.error.message, state.error.action);
  }
  return steps.length;
}

function failedAt(done: number, steps: readonly Step[], failure: unknown): string {
  const left = steps.length - done - 1;
  const rest =
    left === 0 ? '' : `\nnot dispatched: ${left === 1 ? `step ${done + 2}` : `steps ${done + 2} to ${steps.length}`}`;
  return `step ${done + 1} of ${steps.length} failed (${steps[done]?.do})\n${failureLine(failure)}${rest}`;
}
