import type { ActionName } from '../../protocol/actions/index.ts';
import { OBSERVE_LIMITS } from '../../protocol/observe-limits.ts';
import type { ActionInputs } from './action-methods.ts';

/** The fields that every interaction may have. */
interface CommonFields {
  /** Idempotency key: a request with a repeated id is not performed again. Default: a new id. */
  readonly requestId?: string | undefined;
  /** Milliseconds from acceptance to the terminal acknowledgement, 100 to 60,000; default 15,000. */
  readonly timeoutMs?: number | undefined;
  /** Whether to wait for what it changes on the screen, and answer it as `observed`; not for what changes nothing. */
  readonly observe?: boolean | undefined;
}

/** An interaction: the name of an action and its fields, flat beside those that every interaction may have. */
export type InteractionRequest<Name extends ActionName = ActionName> = ActionInputs[Name] & CommonFields;

/** How long the service may take for it: until its timeout, and then for what it changes. */
export const waitMsOf = ({ timeoutMs, observe }: { readonly timeoutMs: number; readonly observe?: true }): number =>
  observe ? timeoutMs + OBSERVE_LIMITS.observationMs : timeoutMs;

/** An interaction as the argument of a call whose answer depends on its `action`. */
export type Asked<Name extends ActionName> = { readonly action: Name } & NoInfer<InteractionRequest<Name>>;
