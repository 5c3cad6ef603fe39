import { backOffMs } from '../core/backoff.ts';
import { readText } from './answer-body.ts';
import type { Bounds } from './bounds.ts';
import { Deadline } from './deadline.ts';
import { type Operation, RunCloudError, type Unanswered, unanswered } from './error.ts';
import type { ErrorBody } from './types.ts';

export interface HttpCall {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** From the base address on. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: object;
  /** Instead of `json`; created after the deadline starts, so that a stream can pause and restart it. */
  readonly body?: (deadline: Deadline) => NonNullable<RequestInit['body']>;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the whole call, including retries; default `answerMs` of the bounds. */
  readonly waitMs?: number;
  /** Whether a call other than `GET` is idempotent and may be retried after a lost answer; a `GET` always may. */
  readonly repeatable?: boolean;
  /** Fields for failures without an acknowledgement. */
  readonly about?: Unanswered;
}

/** Gives the API key or access token to send now. */
export type KeySource = () => string | Promise<string>;

export interface HttpOptions {
  readonly keySource: string | KeySource;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly bounds: Bounds;
}

/** Reads the body of an answer whose status says success; runs within the call's deadline. */
type Read<T> = (response: Response, deadline: Deadline) => Promise<T>;

/** Attempts of a call whose answer is lost; an unreachable service is reported after about two seconds. */
const ATTEMPTS = 4;
/** Maximum accepted `Retry-After`: a day. */
const RETRY_SECONDS_MAX = 86_400;

/** REST calls with a key. Redirects are not followed, so that the key is sent only to the base address. */
export class Http {
  readonly #options: HttpOptions;

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  get bounds(): Bounds {
    return this.#options.bounds;
  }

  /** Whether an expired credential can be replaced by a new one. */
  get isRenewed(): boolean {
    return typeof this.#options.keySource === 'function';
  }

  async authorization(): Promise<string> {
    const { keySource } = this.#options;
    return `Bearer ${typeof keySource === 'function' ? await keySource() : keySource}`;
  }

  /** A JSON answer, as an object. */
  async json<T>(call: HttpCall): Promise<T> {
    const { jsonBytes } = this.bounds;
    return this.read(call, async (response, deadline) => {
      const text = isJson(response) ? await readText(response, jsonBytes, deadline) : '';
      if (text === undefined) throw this.invalid(call, `it is longer than ${jsonBytes} bytes`, response);
      const value = parse(text);
      if (value) return value as T;
      await response.body?.cancel().catch(() => undefined);
      throw this.invalid(call, 'the answer is not a JSON object', response);
    });
  }

  /** Makes the call and reads its answer; retries a failure of transport if the call is idempotent. */
  async read<T>(call: HttpCall, read: Read<T>): Promise<T> {
    const deadline = new Deadline(call.signal, call.waitMs ?? this.bounds.answerMs);
    const late = () => unanswered(call.operation, 'timeout', 'The service did not answer in time.', call.about);
    try {
      const authorization = await deadline.within(this.authorization()).catch((error: unknown) => {
        throw deadline.expired ? late() : error;
      });
      for (let attempt = 1; ; attempt++) {
        try {
          return await read(await this.#answer(call, authorization, deadline), deadline);
        } catch (error) {
          if (error instanceof RunCloudError) throw error;
          deadline.throwIfAborted();
          if (deadline.expired) throw late();
          if (!(call.repeatable || call.method === 'GET') || attempt >= ATTEMPTS) {
            throw unanswered(call.operation, 'transport', 'The service cannot be reached.', call.about, {
              cause: error,
            });
          }
          await deadline.sleep(backOffMs(attempt - 1, Math.random));
        }
      }
    } finally {
      deadline.end();
    }
  }

  /** The failure for an answer that does not match the contract. */
  invalid(call: HttpCall, reason: string, { status }: Pick<Response, 'status'>): RunCloudError {
    return unanswered(call.operation, 'invalid', `The service gave a wrong answer: ${reason}.`, call.about, { status });
  }

  /** A request without the key, for references that carry their own signature. */
  fetchWithoutKey(url: string, init: RequestInit): Promise<Response> {
    return this.#options.fetch(url, { ...init, credentials: 'omit' });
  }

  async #answer(call: HttpCall, authorization: string, deadline: Deadline): Promise<Response> {
    const { method, path, headers, json } = call;
    const body = call.body?.(deadline) ?? (json && JSON.stringify(json));
    const init: RequestInit & { duplex?: 'half' } = {
      method,
      headers: {
        ...headers,
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        Authorization: authorization,
      },
      redirect: 'manual',
      signal: deadline.signal,
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    };
    const response = await deadline.within(this.#options.fetch(this.baseUrl + path, init));
    // A browser hides the target of a redirect: it appears as an opaque answer of status 0.
    if (response.status >= 300 && response.status < 400) return response;
    if (response.ok || response.type === 'opaqueredirect') return response;
    throw await this.#failure(call, response, deadline);
  }

  async #failure(call: HttpCall, response: Response, deadline: Deadline): Promise<RunCloudError> {
    const text = isJson(response) ? await readText(response, this.bounds.failureBytes, deadline) : '';
    const envelope = parse(text ?? '');
    const error = envelope?.error as ErrorBody | undefined;
    if (typeof error?.code !== 'string' || typeof error.message !== 'string') {
      await response.body?.cancel().catch(() => undefined);
      return this.invalid(call, `status ${response.status} without an error of this service`, response);
    }
    const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
    return new RunCloudError({
      operation: call.operation.name,
      status: response.status,
      error: { ...error, retryable: error.retryable === true },
      envelope: { ...call.about, ...envelope },
      ...(seconds >= 0 && seconds <= RETRY_SECONDS_MAX ? { retryAfterMs: seconds * 1_000 } : {}),
    });
  }
}

export const mediaTypeOf = (response: Response): string =>
  response.headers.get('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isJson = (response: Response): boolean => mediaTypeOf(response) === 'application/json';

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
