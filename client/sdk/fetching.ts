import { Deadline } from './deadline.ts';
import { type RunCloudError, unanswered } from './error.ts';
import type { Http, HttpCall } from './http.ts';

/** The requests for one file, with a time limit that restarts with its progress. */
export class Fetching {
  readonly deadline: Deadline;
  readonly #http: Http;
  readonly #call: HttpCall;

  constructor(http: Http, call: HttpCall) {
    this.#http = http;
    this.#call = call;
    this.deadline = new Deadline(call.signal, http.bounds.silenceMs);
  }

  /** The authorization header. Rejects with the error of the `apiKey` function. */
  authorization(): Promise<string> {
    return this.deadline.within(this.#http.authorization()).catch((error: unknown) => {
      throw this.deadline.expired ? this.#late() : error;
    });
  }

  async head(
    url: string,
    redirect: RequestRedirect,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const { signal } = this.deadline;
    this.deadline.go(this.#http.bounds.silenceMs);
    const asked = this.#http.fetchWithoutKey(url, { redirect, headers, signal });
    const response = await this.#told(asked, 'The file cannot be reached.');
    this.deadline.hold();
    return response;
  }

  /** The next bytes. The time limit runs only during this wait, and restarts after `FILE_STEP_BYTES`. */
  async next(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<ReadableStreamReadResult<Uint8Array>> {
    this.deadline.go();
    const result = await this.#told(reader.read(), 'The file broke off.');
    this.deadline.hold();
    return result;
  }

  /** Enough came to start the time anew when it is next waited. */
  movedOn(): void {
    this.deadline.go(this.#http.bounds.silenceMs);
    this.deadline.hold();
  }

  async #told<T>(work: Promise<T>, broken: string): Promise<T> {
    const { operation, about, signal } = this.#call;
    try {
      return await this.deadline.within(work);
    } catch (cause) {
      signal?.throwIfAborted();
      if (this.deadline.expired) throw this.#late();
      throw unanswered(operation, 'transport', broken, about, { cause });
    }
  }

  #late(): RunCloudError {
    return unanswered(this.#call.operation, 'timeout', 'The file does not move on.', this.#call.about);
  }
}
