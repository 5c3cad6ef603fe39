import type { AssetRecord } from '@runcloud/protocol';
import { type Address, type AnswerAt, type RouteCall, routeTo } from '../../protocol/routes/address.ts';

/** A failure as the service tells it: a sentence, and what can be done. */
export class ApiError extends Error {
  readonly code: string;
  readonly action: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, message: string, action?: string, retryAfterSeconds?: number) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.action = action;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No other site's page can send it: state changes without it are refused. */
const OWN_PAGE = { 'X-RunCloud-Dashboard': '1' };

const unreachable = () =>
  new ApiError('unreachable', 'The service cannot be reached.', 'Check your connection, then try again.');

export interface Asked {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
}

/** Calls of the service's routes with the browser's cookie. */
export class Api {
  /** Called when the service knows the cookie no more. */
  onSignedOut: () => void = () => undefined;

  /** Calls a route, and gives what it answers. */
  async ask<A extends Address>(
    { method, path }: RouteCall<A>,
    { query, body, signal }: Asked = {},
  ): Promise<AnswerAt<A>> {
    const text = new URLSearchParams(query).toString();
    let response: Response;
    try {
      response = await fetch(text === '' ? path : `${path}?${text}`, {
        method,
        headers: {
          ...(method === 'GET' ? {} : OWN_PAGE),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw unreachable();
    }
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok) return answer as AnswerAt<A>;
    throw this.#toError(response.status, answer, response.headers.get('Retry-After'));
  }

  /** A picture; `undefined` if none is available now. */
  async picture<A extends Address>({ path }: RouteCall<A>, signal: AbortSignal): Promise<Blob | undefined> {
    try {
      const response = await fetch(path, { signal });
      return response.ok ? await response.blob() : undefined;
    } catch {
      return undefined;
    }
  }

  /** Uploads a file; `onProgress` gets the fraction sent, 0 to 1. Rejects with the signal's reason when it is aborted. */
  upload(file: Blob, onProgress: (share: number) => void, signal: AbortSignal): Promise<AssetRecord> {
    return this.send(routeTo('POST /service/assets'), file, onProgress, signal);
  }

  /** Sends a file to a route that takes its bytes; as `upload`. */
  send<A extends Address>(
    { method, path }: RouteCall<A>,
    file: Blob,
    onProgress: (share: number) => void,
    signal: AbortSignal,
  ): Promise<AnswerAt<A>> {
    return new Promise((resolve, reject) => {
      // `fetch` does not report the progress of an upload.
      const request = new XMLHttpRequest();
      request.open(method, path);
      request.setRequestHeader('Content-Type', 'application/octet-stream');
      for (const [name, value] of Object.entries(OWN_PAGE)) request.setRequestHeader(name, value);
      request.responseType = 'json';
      request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
      request.onload = () => {
        if (request.status === 201 || request.status === 200) resolve(request.response as AnswerAt<A>);
        else reject(this.#toError(request.status, request.response, request.getResponseHeader('Retry-After')));
      };
      request.onerror = () => reject(unreachable());
      request.onabort = () => reject(signal.reason);
      signal.addEventListener('abort', () => request.abort());
      request.send(file);
    });
  }

  #toError(status: number, answer: unknown, retryAfter: string | null): ApiError {
    const { error } = (answer ?? {}) as { error?: { code: string; message: string; action?: string } };
    if (error?.code === 'authentication_required') this.onSignedOut();
    const wait = retryAfter === null ? undefined : Number(retryAfter);
    if (error === undefined) {
      return new ApiError('unknown', `The service answered with status ${status}.`, 'Try again in a moment.');
    }
    return new ApiError(error.code, error.message, error.action, wait);
  }
}
