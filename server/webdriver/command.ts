import type { Client } from '../../client/sdk/client.ts';
import type { Session } from '../../client/sdk/sessions.ts';
import type { Fields } from './fields.ts';
import type { Timeouts } from './timeouts.ts';

/** One command that is to be carried out. */
export interface CommandCall {
  readonly cloud: Client;
  readonly signal: AbortSignal;
  /** What stands in the path, by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly fields: Fields;
  readonly timeouts: Timeouts;
}

/** A command within a session. */
export interface SessionCall extends CommandCall {
  /** The session of the path, as it was when the command came. */
  readonly session: Session;
}

/** Resolves with the value that the command is answered with. Throws a `WebDriverFailure`, or an error of the SDK. */
type Run<Call> = (call: Call) => unknown;

/** A command, by its method and its path, in which `{name}` is one segment. */
export interface Command<Call = CommandCall> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly run: Run<Call>;
}

/** Commands of a session; their paths begin below `session/{session}/`, or are empty for that itself. */
export type SessionCommand = Command<SessionCall>;

const of =
  (method: Command['method']) =>
  (path: string, run: Run<SessionCall>): SessionCommand => ({ method, path, run });

export const GET = of('GET');
export const POST = of('POST');
export const DELETE = of('DELETE');
