import type { ActionName, ResultOf } from '../../protocol/actions/index.ts';
import { failureOf } from './error.ts';
import type { Acknowledgement, ErrorBody, Outcome } from './types.ts';

/** The fields of an acknowledgement that are the same however the request ended. */
type Ended = Omit<Acknowledgement, 'ok' | 'status' | 'action' | 'result' | 'error' | 'device' | 'leaseId'>;

/** The `result` of each action; `undefined` of one that has none. */
type Results = { readonly [Name in ActionName]: ResultOf<Name> } & { readonly pointer: PointerResult };

/** The result of a gesture that was moved live. */
interface PointerResult {
  /** The number of fingers. */
  readonly pointCount: number;
  /** The number of steps that reached the device: less than were sent where newer moves replaced older ones. */
  readonly dispatchedSteps: number;
}

/** The field `result` of something whose action has this result. */
export type ResultField<Result> = undefined extends Result
  ? { readonly result?: never }
  : { readonly result: Readonly<Result> };

/** The acknowledgement of a request that completed: the device has taken the input. Its `result` depends on the action. */
export type Completed<Name extends ActionName | 'pointer' = ActionName> = Name extends keyof Results
  ? Ended & { readonly ok: true; readonly status: 'completed'; readonly action: Name } & ResultField<Results[Name]>
  : never;

/** The acknowledgement of a request that failed, was cancelled or timed out. */
export type Failed = Ended & {
  readonly ok: false;
  readonly status: Exclude<Outcome, 'completed'>;
  readonly action?: string;
  /** `dispatchedSteps` of a gesture that ended early; else absent. */
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error: ErrorBody;
};

/** The acknowledgement of a request of the action `Name`; throws the `RunCloudError` of one that did not complete. */
export function completed<Name extends ActionName | 'pointer'>(
  operation: string,
  acknowledgement: Acknowledgement,
): Completed<Name> {
  if (acknowledgement.ok === true) return acknowledgement as unknown as Completed<Name>;
  throw failureOf(operation, acknowledgement);
}
