/// <reference lib="esnext.disposable" preserve="true" />
import { routeTo } from '../../protocol/routes/address.ts';
import type { CallOptions } from './actions.ts';
import { readText } from './answer-body.ts';
import { checkedId, checkedIdempotencyKey, checkedRecordingListQuery } from './arguments.ts';
import { downloadMp4, type Mp4Download } from './download.ts';
import { unanswered } from './error.ts';
import type { RecordingDetails, RecordingRecord } from './files.ts';
import { type Http, type HttpCall, mediaTypeOf } from './http.ts';
import { general } from './operations.ts';
import { everyItem, type Page, type PageOptions, type Query, readPage } from './pages.ts';
import { readPicture } from './picture.ts';
import type { Platform } from './types.ts';

export interface StartRecordingOptions extends CallOptions {
  /** 1 to 200 printable characters; a repeated key returns the first recording. Default: a new key. */
  readonly idempotencyKey?: string | undefined;
}

/** A recording that this program has started. */
export type StartedRecording = RecordingRecord & AsyncDisposable;

/** Recordings of one session, which may have ended. */
export class Recordings {
  readonly #http: Http;
  readonly #about: { readonly sessionId: string; readonly platform: Platform };

  constructor(http: Http, about: { readonly sessionId: string; readonly platform: Platform }) {
    this.#http = http;
    this.#about = about;
  }

  /**
   * Starts a recording of the display; resolves when its first picture is stored. An `await using` of the result stops the
   * recording at its end. A session has one active recording: another rejects with `recording_already_active`.
   */
  async start({ idempotencyKey, signal }: StartRecordingOptions = {}): Promise<StartedRecording> {
    const headers = { 'Idempotency-Key': checkedIdempotencyKey(idempotencyKey) };
    const { workMs: waitMs } = this.#http.bounds;
    const record = await this.#record({
      ...this.#call('start', routeTo('POST /service/{platform}/{sessionId}/recordings', this.#about)),
      headers,
      signal,
      waitMs,
    });
    const dispose = async (): Promise<void> => void (await this.stop(record.id));
    // Not enumerable: the record is printed, compared and sent on as it came.
    return Object.defineProperty(record, Symbol.asyncDispose, { value: dispose }) as StartedRecording;
  }

  /** Reads a recording with its lifecycle events. */
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
    const { stream } = await downloadMp4(this.#http, this.#file('download', recordingId, signal), bytesMax);
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
    return downloadMp4(this.#http, this.#file('download', recordingId, signal), this.#http.bounds.fileBytes);
  }

  /**
   * A small JPEG of a recording that is `ready`: a picture near its middle, 640 pixels long at most. Rejects with
   * `recording_not_ready` before, and with `recording_deleted` after the end of its retention.
   */
  async poster(recordingId: string, { signal }: CallOptions = {}): Promise<Uint8Array> {
    return readPicture(this.#http, this.#file('poster', recordingId, signal), 'image/jpeg');
  }

  /**
   * The inputs of a recording as a WebVTT metadata track, on the times of its video: each cue has the `seq` of its entry in the
   * session's history, and JSON with `requestId`, `action`, `fields`, `status` and `durationMs`.
   */
  async history(recordingId: string, { signal }: CallOptions = {}): Promise<string> {
    const call = this.#file('history.vtt', recordingId, signal);
    return this.#http.read(call, async (response, deadline) => {
      const text =
        mediaTypeOf(response) === 'text/vtt' && (await readText(response, this.#http.bounds.heldBytes, deadline));
      if (text) return text;
      await response.body?.cancel().catch(() => undefined);
      throw this.#http.invalid(call, 'no WebVTT, or too long', response);
    });
  }

  #file(name: 'download' | 'poster' | 'history.vtt', recordingId: string, signal: AbortSignal | undefined): HttpCall {
    const to = this.#named(recordingId);
    return {
      ...this.#call(name, routeTo(`GET /service/{platform}/{sessionId}/recordings/{recordingId}/${name}`, to)),
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
