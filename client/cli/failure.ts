import { RunCloudError } from '../sdk/error.ts';

/** Exit codes: 0 for success, 2 for wrong arguments, and these. */
export const EXIT = { failed: 1, invalid: 2, timedOut: 124, interrupted: 130 } as const;

/** For people alone, and not part of what is printed for programs. */
interface ForPeople {
  /** What to do about it. */
  readonly hint?: string;
  /** What the SDK said, where it is not a failure of the command's own. */
  readonly origin?: RunCloudError;
}

/** A failure of a command: what is printed on standard error, and its exit code. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  /** The API's error format; empty where everything is told already. */
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly exitCode: number;
  readonly hint: string | undefined;
  readonly origin: RunCloudError | undefined;

  constructor(envelope: Readonly<Record<string, unknown>>, exitCode: number, { hint, origin }: ForPeople = {}) {
    super('the command failed');
    this.envelope = envelope;
    this.exitCode = exitCode;
    this.hint = hint;
    this.origin = origin;
  }
}

const failed = (code: string, message: string, action?: string): Record<string, unknown> => ({
  ok: false,
  status: 'failed',
  error: { code, message, retryable: false, ...(action === undefined ? {} : { action }) },
});

/** A fault of the arguments, found before anything was sent or any key was looked for. */
export const invalidRequest = (message: string, hint?: string): CommandFailure =>
  new CommandFailure(failed('invalid_request', message), EXIT.invalid, hint === undefined ? {} : { hint });

/** A file that cannot be read or written. */
export const fileError = (message: string): CommandFailure =>
  new CommandFailure(failed('file_error', message), EXIT.failed);

/**
 * Runs a check of arguments; what it refuses is an invalid request.
 *
 * @param hint for people
 */
export function checked<T>(check: () => T, hint?: string): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw invalidRequest(error.message, hint);
    throw error;
  }
}

/** A refusal of the sign-in, with OAuth's error code. */
export const refusal = (code: string, message: string, action?: string): CommandFailure =>
  new CommandFailure(failed(code, message, action), EXIT.failed);

export const noKey = (): CommandFailure =>
  refusal(
    'authentication_required',
    'You are not signed in, and no API key is set.',
    'Sign in with "runcloud login", or set the environment variable RUNCLOUD_API_KEY.',
  );

export const signedOut = (message: string): CommandFailure =>
  refusal('authentication_required', message, 'Sign in again with "runcloud login".');

/** An interrupt while something was pending. The session stays. */
export function cancelled(
  about: Readonly<Record<string, unknown>> = {},
  message = 'Interrupted; the session stays active.',
): CommandFailure {
  const code = about.action === 'screenshot' ? 'screenshot_cancelled' : 'interaction_cancelled';
  const error = { code, message, retryable: false };
  return new CommandFailure({ ok: false, ...about, status: 'cancelled', error }, EXIT.interrupted);
}

/**
 * Any error as a failure of the command. Stacks and causes stay inside.
 *
 * @param interrupt what Ctrl-C aborts
 */
export function toFailure(error: unknown, interrupt: AbortSignal): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (interrupt.aborted && error === interrupt.reason) return cancelled();
  if (error instanceof RunCloudError) {
    const timedOut = error.interactionStatus === 'timed_out';
    return new CommandFailure(error.toJSON(), timedOut ? EXIT.timedOut : EXIT.failed, { origin: error });
  }
  const { code, message = 'unknown' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  // A fault of the file system names the file that the caller named.
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    return fileError(`${message}.`);
  }
  return new CommandFailure(failed('internal_error', `The command failed: ${message}.`), EXIT.failed);
}
