import { routeTo } from '../../protocol/routes/address.ts';
import type { CallOptions } from './actions.ts';
import { checkedId, checkedListQuery } from './arguments.ts';
import type { AssetRecord, AssetSummary } from './files.ts';
import type { Http } from './http.ts';
import { general } from './operations.ts';
import { everyItem, type Page, type PageOptions, type Query, readPage } from './pages.ts';
import { uploadBody } from './upload-body.ts';

/** An app's package: bytes, a file, or a stream of known length. */
export type AssetSource =
  | Blob
  | Uint8Array<ArrayBuffer>
  /** Node.js only: browsers do not send the length of a stream. */
  | { readonly stream: ReadableStream<Uint8Array>; readonly byteSize: number };

/** A page cannot observe the progress of an upload: it fails if it is slower on average than this speed. */
const UNWATCHED_BYTES_PER_MS = 32;

/** Apps (`.apk`, `.ipa`, zipped `.app`) for `installAssets` of new sessions. */
export class Assets {
  readonly #http: Http;
  readonly #sendsStreams: boolean;

  /** @param sendsStreams whether this `fetch` sends a stream with a `Content-Length`; browsers do not */
  constructor(http: Http, sendsStreams: boolean) {
    this.#http = http;
    this.#sendsStreams = sendsStreams;
  }

  /**
   * Uploads a package while reading it; never retried, since a stream can be read only once. The upload has no total time
   * limit, and fails once the service takes nothing for a minute.
   */
  async upload(source: AssetSource, { signal }: CallOptions = {}): Promise<AssetRecord> {
    const { body, byteSize } = partsOf(source);
    const { bounds } = this.#http;
    const { silenceMs, uploadedMs } = bounds;
    const isStream = body instanceof ReadableStream;
    const watched = isStream ? body : this.#sendsStreams ? new Blob([body]).stream() : undefined;
    return this.#http.json({
      operation: general('assets.upload'),
      ...routeTo('POST /service/assets'),
      headers: {
        'Content-Type': 'application/octet-stream',
        ...(watched ? { 'Content-Length': String(byteSize) } : {}),
      },
      body: (deadline) => (watched ? uploadBody(watched, deadline, bounds) : (body as BodyInit)),
      signal,
      waitMs: watched ? silenceMs : uploadedMs + byteSize / UNWATCHED_BYTES_PER_MS,
    });
  }

  /** Reads an uploaded app. */
  async get(assetId: string, { signal }: CallOptions = {}): Promise<AssetRecord> {
    const operation = general('assets.get');
    return this.#http.json({ operation, ...routeTo('GET /service/assets/{assetId}', named(assetId)), signal });
  }

  /** One page of assets, newest first; its `next` is the `cursor` of the next page. */
  async list({ signal, limit, cursor }: PageOptions = {}): Promise<Page<AssetSummary>> {
    return this.#page(checkedListQuery({ limit, cursor }), signal);
  }

  /** All assets, newest first; pages are read as you iterate. */
  all({ signal }: CallOptions = {}): AsyncIterableIterator<AssetSummary> {
    return everyItem((query) => this.#page(query, signal));
  }

  #page(query: Query, signal: AbortSignal | undefined): Promise<Page<AssetSummary>> {
    const operation = general('assets.list');
    const call = { operation, ...routeTo('GET /service/assets'), signal };
    return readPage(this.#http, call, 'assets', query);
  }

  /** Deletes an uploaded app; rejects with `asset_in_use` while an active session uses it. */
  async delete(assetId: string, { signal }: CallOptions = {}): Promise<void> {
    const operation = general('assets.delete');
    // Not retried: a second try could not tell a deleted asset from one that never existed.
    await this.#http.json({ operation, ...routeTo('DELETE /service/assets/{assetId}', named(assetId)), signal });
  }
}

const named = (assetId: string) => ({ assetId: checkedId('assetId', assetId) });

type Body = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** @param what the file is to the caller; @param bytesMin what it has at least */
export function partsOf(
  source: AssetSource,
  what = 'package',
  bytesMin = 1,
): { readonly body: Body; readonly byteSize: number } {
  if (source instanceof Blob || source instanceof Uint8Array) {
    const byteSize = source instanceof Blob ? source.size : source.byteLength;
    if (byteSize < bytesMin) throw new RangeError(`The ${what} is empty.`);
    return { body: source, byteSize };
  }
  const { stream, byteSize } = source ?? {};
  if (!(stream instanceof ReadableStream)) throw new TypeError(`The ${what} must be a Blob, bytes, or a stream.`);
  if (!Number.isSafeInteger(byteSize)) throw new TypeError('"byteSize" must be a whole number of bytes.');
  if (byteSize < bytesMin) throw new RangeError(`"byteSize" must be ${bytesMin} or more.`);
  return { body: stream, byteSize };
}
