import type { CallOptions } from './actions.ts';
import { checkedId } from './arguments.ts';
import type { AssetRecord } from './files.ts';
import type { Http } from './http.ts';
import { general } from './operations.ts';

/** An app's package: bytes, a file, or a stream whose length is known. */
export type AssetSource =
  | Blob
  | Uint8Array<ArrayBuffer>
  /** Node.js only: browsers do not send the length of a stream. */
  | { readonly stream: ReadableStream<Uint8Array>; readonly byteSize: number };

/** 2 GiB on a link of 5 Mbit/s. */
const UPLOAD_MS_MAX = 3_600_000;

/** Apps (`.apk`, `.ipa`, zipped `.app`) for `installAssets` of new sessions. */
export class Assets {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Sends a package as it is read; never repeated, since a stream can be read once. */
  async upload(source: AssetSource, { signal }: CallOptions = {}): Promise<AssetRecord> {
    const { body, length } = bodyOf(source);
    return this.#http.json({
      operation: general('assets.upload'),
      method: 'POST',
      path: '/service/assets',
      headers: {
        'Content-Type': 'application/octet-stream',
        ...(length === undefined ? {} : { 'Content-Length': String(length) }),
      },
      body,
      signal,
      waitMs: UPLOAD_MS_MAX,
    });
  }

  async get(assetId: string, { signal }: CallOptions = {}): Promise<AssetRecord> {
    const operation = general('assets.get');
    return this.#http.json({ operation, method: 'GET', path: pathOf(assetId), signal, repeatable: true });
  }

  async list({ signal }: CallOptions = {}): Promise<readonly AssetRecord[]> {
    const operation = general('assets.list');
    const call = { operation, method: 'GET', path: '/service/assets', signal, repeatable: true } as const;
    const { assets } = await this.#http.json<{ readonly assets: unknown }>(call);
    if (Array.isArray(assets)) return assets as readonly AssetRecord[];
    throw this.#http.invalid(call, 'there is no list of assets in it', { status: 200 });
  }

  async delete(assetId: string, { signal }: CallOptions = {}): Promise<void> {
    const operation = general('assets.delete');
    // Not repeated: the second try could not tell an asset that it deleted from one that never was.
    await this.#http.json({ operation, method: 'DELETE', path: pathOf(assetId), signal });
  }
}

const pathOf = (assetId: string): string => `/service/assets/${encodeURIComponent(checkedId('assetId', assetId))}`;

function bodyOf(source: AssetSource): { readonly body: BodyInit; readonly length?: number } {
  if (source instanceof Blob || source instanceof Uint8Array) {
    const size = source instanceof Blob ? source.size : source.byteLength;
    if (size === 0) throw new RangeError('The package is empty.');
    return { body: source };
  }
  const { stream, byteSize } = source ?? {};
  if (!(stream instanceof ReadableStream)) throw new TypeError('The package must be a Blob, bytes, or a stream.');
  if (!Number.isSafeInteger(byteSize)) throw new TypeError('"byteSize" must be a whole number of bytes.');
  if (byteSize <= 0) throw new RangeError('"byteSize" must be above 0.');
  return { body: stream, length: byteSize };
}
