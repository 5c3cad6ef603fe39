import { routeTo } from '../../protocol/routes/address.ts';
import type { InputOptions } from './actions.ts';
import { type AssetSource, partsOf } from './assets.ts';
import type { AddedMedia } from './files.ts';
import type { Http } from './http.ts';
import { forced, general } from './operations.ts';
import type { Platform } from './types.ts';
import { uploadBody } from './upload-body.ts';

/** The photo library of a session's device. */
export class Media {
  readonly #http: Http;
  readonly #about: { readonly sessionId: string; readonly platform: Platform };
  readonly #sendsStreams: boolean;

  constructor(http: Http, about: { readonly sessionId: string; readonly platform: Platform }, sendsStreams: boolean) {
    this.#http = http;
    this.#about = about;
    this.#sendsStreams = sendsStreams;
  }

  /**
   * Adds a picture or a video of at most 64 MiB, behind earlier interactions; resolves when the library has it. Never retried, since
   * it would be added twice.
   */
  async add(source: AssetSource, { signal, force }: InputOptions = {}): Promise<AddedMedia> {
    const { body, byteSize } = partsOf(source, 'file');
    const { bounds } = this.#http;
    const watched = body instanceof ReadableStream ? body : this.#sendsStreams ? new Blob([body]).stream() : undefined;
    return this.#http.json({
      operation: general('media.add'),
      ...forced(routeTo('POST /service/{platform}/{sessionId}/media', this.#about), force),
      headers: {
        'Content-Type': 'application/octet-stream',
        ...(watched ? { 'Content-Length': String(byteSize) } : {}),
      },
      body: (deadline) => (watched ? uploadBody(watched, deadline, bounds) : (body as BodyInit)),
      signal,
      waitMs: watched ? bounds.silenceMs : bounds.uploadedMs,
      about: this.#about,
    });
  }
}
