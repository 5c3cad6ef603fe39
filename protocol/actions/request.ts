import { type TSchema, Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import { type Checked, fault } from '../fault.ts';
import type { AnyAction } from './action.ts';
import { ACTION_NAMES, ACTIONS, type Common, type InteractionRequest } from './index.ts';

/** A request of a client: a flat union, discriminated by `action`. */
export const InteractionBody = Type.Union(
  Object.values<AnyAction>(ACTIONS).map(({ schema }) => schema as TSchema & typeof schema),
  { $id: 'Interaction', description: 'One flat object; `action` tells which fields it has' },
);

const BY_NAME: ReadonlyMap<unknown, AnyAction> = new Map(Object.entries(ACTIONS));

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
  const {
    action: name,
    requestId,
    timeoutMs,
    observe,
  } = body as Omit<Partial<Common>, 'observe'> & {
    action?: unknown;
    observe?: boolean;
  };
  const action = BY_NAME.get(name);
  if (!action) {
    const message = name === undefined ? 'is required' : 'must be';
    return {
      ok: false,
      fault: fault('action', `${message}${name === undefined ? ': ' : ' '}one of ${ACTION_NAMES.join(', ')}`),
    };
  }
  const timeoutInForceMs = timeoutMs ?? ACTION_LIMITS.interactionTimeoutMs.default;
  const refused = action.check(body) ?? action.rules(body, timeoutInForceMs);
  if (refused) return { ok: false, fault: refused };
  const value = {
    action: action.name,
    ...action.complete(body, timeoutInForceMs),
    requestId: requestId ?? newRequestId(),
    timeoutMs: timeoutInForceMs,
    ...(observe && { observe }),
  };
  return { ok: true, value: value as InteractionRequest };
}
