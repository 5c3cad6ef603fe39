import { Type } from '@sinclair/typebox';
import { type Checked, type Fault, fault } from '../fault.ts';
import { LIMITS } from '../limits.ts';
import type { Common } from './action.ts';
import { gesture } from './gesture.ts';
import { ACTION_NAMES, type ActionName } from './names.ts';
import { pressButton } from './press-button.ts';
import { pressKey } from './press-key.ts';
import { reload } from './reload.ts';
import { rotate } from './rotate.ts';
import { rotateDigitalCrown } from './rotate-digital-crown.ts';
import { scroll } from './scroll.ts';
import { setRenderDebug } from './set-render-debug.ts';
import { simulateMemoryWarning } from './simulate-memory-warning.ts';
import { swipe } from './swipe.ts';
import { tap } from './tap.ts';
import { toggleSoftwareKeyboard } from './toggle-software-keyboard.ts';
import { typeText } from './type-text.ts';

/** Every action of the contract, by its name (specification, section 4.3). */
export const INTERACTIONS = {
  tap,
  swipe,
  gesture,
  typeText,
  pressKey,
  pressButton,
  rotate,
  reload,
  scroll,
  toggleSoftwareKeyboard,
  simulateMemoryWarning,
  rotateDigitalCrown,
  setRenderDebug,
} as const satisfies Record<ActionName, unknown>;

/** The fields of one action with its defaults, without the common ones. */
export type ActionFields = { [Name in ActionName]: ReturnType<(typeof INTERACTIONS)[Name]['complete']> }[ActionName];

/** A validated interaction: every default filled in, nothing of the caller's own object in it. */
export type InteractionRequest = Common & ActionFields;

/** What a client may send: one flat object, told apart by `action`. */
export const InteractionBody = Type.Union(
  Object.values(INTERACTIONS).map(({ schema }) => schema),
  { $id: 'Interaction' },
);

interface AnyAction {
  readonly check: (value: unknown) => Fault | undefined;
  readonly rules: (input: never, timeoutMs: number) => Fault | undefined;
  readonly complete: (input: never) => ActionFields;
}

const BY_NAME: ReadonlyMap<unknown, AnyAction> = new Map(Object.entries(INTERACTIONS));

/**
 * Checks a flat interaction request and fills in its defaults.
 *
 * @param body what the client sent, decoded
 * @param newRequestId makes the id of a request that came without one
 */
export function checkInteraction(body: unknown, newRequestId: () => string): Checked<InteractionRequest> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { ok: false, fault: fault('', 'must be one flat object') };
  }
  const { action: name, requestId, timeoutMs } = body as Partial<Common> & { action?: unknown };
  const action = BY_NAME.get(name);
  if (!action) {
    const message = name === undefined ? 'is required' : 'must be';
    return {
      ok: false,
      fault: fault('action', `${message}${name === undefined ? ': ' : ' '}one of ${ACTION_NAMES.join(', ')}`),
    };
  }
  const timeoutInForceMs = timeoutMs ?? LIMITS.interactionTimeoutMs.default;
  const refused = action.check(body) ?? action.rules(body as never, timeoutInForceMs);
  if (refused) return { ok: false, fault: refused };
  const fields = action.complete(body as never) as InteractionRequest;
  // The fresh object is completed in place: one allocation for each tap is enough.
  return {
    ok: true,
    value: Object.assign(fields, { requestId: requestId ?? newRequestId(), timeoutMs: timeoutInForceMs }),
  };
}
