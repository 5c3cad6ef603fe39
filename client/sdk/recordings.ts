import { routeTo } from '../../protocol/routes/address.ts';
import type { CallOptions } from './actions.ts';
import { checkedId, checkedIdempotencyKey, checkedRecordingListQuery } from './arguments.ts';
import { downloadMp4, type Mp4Download } from './download.ts';
import { unanswered } from './error.ts';
import type { RecordingDetails, RecordingRecord } from './files.ts';
import type { Http, HttpCall } from './http.ts';
import { general } from './operations.ts';
import { everyItem, type Page, type PageOptions, type Query, readPage } from './pages.ts';
import type { Platform } from './types.ts';

export interface StartRecordingOptions extends CallOptions {
  /** 1 to 200 printable characters; a repeated key returns the first recording. Default: a new key. */
  readonly idempotencyKey?: string | undefined;
}

/** Recordings of one session, which may have ended. */
export class Recordings {
  readonly #http: Http;
  readonly #about: { readonly sessionId: string; readonly platform: Platform };

  constructor(http: Http, about: { readonly sessionId: string; readonly platform: Platform }) {
    this.#http = http;
    this.#about = about;
  }

  async start({ idempotencyKey, signal }: StartRecordingOptions = {}): Promise<RecordingRecord> {
    const headers = { 'Idempotency-Key': checkedIdempotencyKey(idempotencyKey) };
    const { workMs: waitMs } = this.#http.bounds;
    return this.#record({
      ...this.#call('start', routeTo('POST /service/{platform}/{sessionId}/recordings', this.#about)),
      headers,
      signal,
      waitMs,
    });
  }

  /** A recording with its lifecycle events. */
  async get(recordingId: string, { signal }: CallOptions = {}): Promise<RecordingDetails> {
    return this.#record<RecordingDetails>({
      ...this.#call(
        'get',
        routeTo('GET /service/{platform}/{sessionId}/recordings/{recordingId}', this.#named(recordingId)),
      ),
      signal,
    });
  }

  /** One page of at most 100 recordings, newest first; its `next` is the `cursor` of the next page. */
  async list({ signal, limit, cursor }: PageOptions = {}): Promise<Page<RecordingRecord>> {
    return this.#page(checkedRecordingListQuery({ limit, cursor }), signal);
  }

  /** All recordings, newest first; pages are read as you iterate. */
  all({ signal }: CallOptions = {}): AsyncIterableIterator<RecordingRecord> {
    return everyItem((query) => this.#page(query, signal));
  }

  /** Stops and finalizes a recording. If the result is still `finalizing`, read the recording again later. */
  async stop(recordingId: string, { signal }: CallOptions = {}): Promise<RecordingRecord> {
    const { workMs: waitMs } = this.#http.bounds;
    return this.#record({
      ...this.#call(
        'stop',
        routeTo('POST /service/{platform}/{sessionId}/recordings/{recordingId}/stop', this.#named(recordingId)),
      ),
      signal,
      waitMs,
    });
  }

  /** The whole file in memory, up to 2 GB. Rejects if it is not a complete MP4. */
  async download(recordingId: string, { signal }: CallOptions = {}): Promise<Uint8Array> {
    const { heldBytes: bytesMax } = this.#http.bounds;
    const { stream } = await downloadMp4(this.#http, this.#download(recordingId, signal), bytesMax);
    const chunks: Uint8Array[] = [];
    let count = 0;
    for await (const chunk of stream) {
      chunks.push(chunk);
      count += chunk.length;
    }
    const bytes = new Uint8Array(count);
    let position = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, position);
      position += chunk.length;
    }
    return bytes;
  }

  /**
   * The file as a stream. **Its bytes are unverified until the stream has ended**: reading throws a `RunCloudError` at the end
   * if they are not a complete MP4. So keep the bytes aside and use them after the end. The stream has no total time limit,
   * and throws if a read gets no bytes for a minute.
   */
  async stream(recordingId: string, { signal }: CallOptions = {}): Promise<Mp4Download> {
    return downloadMp4(this.#http, this.#download(recordingId, signal), this.#http.bounds.fileBytes);
  }

  #download(recordingId: string, signal: AbortSignal | undefined): HttpCall {
    return {
      ...this.#call(
        'download',
        routeTo('GET /service/{platform}/{sessionId}/recordings/{recordingId}/download', this.#named(recordingId)),
      ),
      signal,
    };
  }

  #page(query: Query, signal: AbortSignal | undefined): Promise<Page<RecordingRecord>> {
    return readPage(
      this.#http,
      { ...this.#call('list', routeTo('GET /service/{platform}/{sessionId}/recordings', this.#about)), signal },
      'recordings',
      query,
    );
  }

  async #record<T extends RecordingRecord = RecordingRecord>(call: HttpCall): Promise<T> {
    const record = await this.#http.json<T>(call);
    if (typeof record.id === 'string' && typeof record.status === 'string') return record;
    throw unanswered(call.operation, 'invalid', 'The service gave a wrong answer: it is no recording.', call.about);
  }

  #named(recordingId: string) {
    return { ...this.#about, recordingId: checkedId('recordingId', recordingId) };
  }

  /** All of these calls are idempotent: a start carries an idempotency key. */
  #call(name: string, { method, path }: Pick<HttpCall, 'method' | 'path'>): HttpCall {
    return { operation: general(`recordings.${name}`), method, path, repeatable: true, about: this.#about };
  }
}
