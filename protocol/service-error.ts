import type { ErrorBody } from './error-body.ts';
import { ERROR_WORDS } from './error-words.ts';
import { ERRORS, type ErrorCode } from './errors.ts';

/** A failure with a code of the catalogue. The caller sees its message: it must not contain a path, key or stack. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string = ERROR_WORDS[code].message,
    options: { retryAfterSeconds?: number } = {},
  ) {
    // A refusal is an answer, not a fault: nobody reads where it was thrown, and writing that costs more than all the rest of it.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'ServiceError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get http(): number {
    return ERRORS[this.code].http;
  }

  get retryable(): boolean {
    return ERRORS[this.code].retryable;
  }

  toBody(): ErrorBody {
    return errorBody(this.code, this.message);
  }
}

/** The `error` object of `code`, with the catalogue's sentence unless a more specific `message` is given. */
export function errorBody(code: ErrorCode, message?: string): ErrorBody {
  const { message: sentence, action } = ERROR_WORDS[code];
  const { retryable } = ERRORS[code];
  return { code, message: message ?? sentence, retryable, ...(action === undefined ? {} : { action }) };
}
