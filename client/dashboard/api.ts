import type { AssetRecord } from './contract.ts';

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

/** The service's routes, as the browser's cookie may use them. */
export class Api {
  /** Called when the service knows the cookie no more. */
  onSignedOut: () => void = () => undefined;

  get<T>(path: string, signal?: AbortSignal): Promise<T> {
    return this.#send('GET', path, undefined, signal);
  }

  post<T>(path: string, body?: unknown): Promise<T> {
    return this.#send('POST', path, body);
  }

  delete<T>(path: string): Promise<T> {
    return this.#send('DELETE', path);
  }

  /** A picture; `undefined` when there is none to be had now. */
  async picture(path: string, signal: AbortSignal): Promise<Blob | undefined> {
    try {
      const response = await fetch(path, { signal });
      return response.ok ? await response.blob() : undefined;
    } catch {
      return undefined;
    }
  }

  /** Sends a file as it is; `onProgress` hears shares from 0 to 1. Rejects with the signal's reason when it fires. */
  upload(path: string, file: Blob, onProgress: (share: number) => void, signal: AbortSignal): Promise<AssetRecord> {
    return new Promise((resolve, reject) => {
      // `fetch` tells no progress of what it sends.
      const request = new XMLHttpRequest();
      request.open('POST', path);
      request.setRequestHeader('Content-Type', 'application/octet-stream');
      for (const [name, value] of Object.entries(OWN_PAGE)) request.setRequestHeader(name, value);
      request.responseType = 'json';
      request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
      request.onload = () => {
        if (request.status === 201 || request.status === 200) resolve(request.response as AssetRecord);
        else reject(this.#toError(request.status, request.response, request.getResponseHeader('Retry-After')));
      };
      request.onerror = () => reject(unreachable());
      request.onabort = () => reject(signal.reason);
      signal.addEventListener('abort', () => request.abort());
      request.send(file);
    });
  }

  async #send<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    let response: Response;
    try {
      response = await fetch(path, {
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
    if (response.ok) return answer as T;
    throw this.#toError(response.status, answer, response.headers.get('Retry-After'));
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
