import type { CallOptions } from './actions.ts';
import { checkedId, checkedIdempotencyKey } from './arguments.ts';
import { downloadMp4, type Mp4Download } from './download.ts';
import { unanswered } from './error.ts';
import type { RecordingRecord } from './files.ts';
import type { Http, HttpCall } from './http.ts';
import { general } from './operations.ts';
import type { Platform } from './types.ts';

export interface StartRecordingOptions extends CallOptions {
  /** 1 to 200 printable characters; the same key again returns the first recording. Made up where it is absent. */
  readonly idempotencyKey?: string | undefined;
}

/** Recordings of one session; also of one that has ended. */
export class Recordings {
  readonly #http: Http;
  readonly #about: { readonly sessionId: string; readonly platform: Platform };

  constructor(http: Http, about: { readonly sessionId: string; readonly platform: Platform }) {
    this.#http = http;
    this.#about = about;
  }

  async start({ idempotencyKey, signal }: StartRecordingOptions = {}): Promise<RecordingRecord> {
    const headers = { 'Idempotency-Key': checkedIdempotencyKey(idempotencyKey) };
    return this.#record({ ...this.#call('start', 'POST', ''), headers, signal });
  }

  /** With its lifecycle events. */
  async get(recordingId: string, { signal }: CallOptions = {}): Promise<RecordingRecord> {
    return this.#record({ ...this.#call('get', 'GET', segment(recordingId)), signal });
  }

  /** At most 100, newest first. */
  async list({ signal }: CallOptions = {}): Promise<readonly RecordingRecord[]> {
    const call = { ...this.#call('list', 'GET', ''), signal };
    const { recordings } = await this.#http.json<{ readonly recordings: unknown }>(call);
    if (Array.isArray(recordings)) return recordings as readonly RecordingRecord[];
    throw this.#http.invalid(call, 'there is no list of recordings in it', { status: 200 });
  }

  /** Stops and finalizes. The record may still be `finalizing` when that takes long: then read it again. */
  async stop(recordingId: string, { signal }: CallOptions = {}): Promise<RecordingRecord> {
    return this.#record({ ...this.#call('stop', 'POST', `${segment(recordingId)}/stop`), signal });
  }

  /** The whole file. Rejects when what came is no whole MP4. */
  async download(recordingId: string, options: CallOptions = {}): Promise<Uint8Array> {
    const { stream, byteSize } = await this.stream(recordingId, options);
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const bytes = new Uint8Array(byteSize ?? chunks.reduce((sum, { length }) => sum + length, 0));
    let position = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, position);
      position += chunk.length;
    }
    return bytes;
  }

  /** The file while it comes. It ends with an error when what came is no whole MP4, so keep it aside until its end. */
  async stream(recordingId: string, { signal }: CallOptions = {}): Promise<Mp4Download> {
    const call = { ...this.#call('download', 'GET', `${segment(recordingId)}/download`), signal };
    return downloadMp4(this.#http, call);
  }

  async #record(call: HttpCall): Promise<RecordingRecord> {
    const record = await this.#http.json<RecordingRecord>(call);
    if (typeof record.id === 'string' && typeof record.status === 'string') return record;
    throw unanswered(call.operation, 'invalid', 'The service gave a wrong answer: it is no recording.', call.about);
  }

  #call(name: string, method: 'GET' | 'POST', rest: string): HttpCall {
    const { platform, sessionId } = this.#about;
    return {
      operation: general(`recordings.${name}`),
      method,
      path: `/service/${platform}/${encodeURIComponent(sessionId)}/recordings${rest}`,
      // Each of these has no second effect: starting carries a key.
      repeatable: true,
      about: this.#about,
    };
  }
}

const segment = (recordingId: string): string => `/${encodeURIComponent(checkedId('recordingId', recordingId))}`;
