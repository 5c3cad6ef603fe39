import { filePathFault } from '../../protocol/file-path.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { routeTo } from '../../protocol/routes/address.ts';
import type { CallOptions, InputOptions } from './actions.ts';
import { lengthOf, readBytes } from './answer-body.ts';
import { type AssetSource, partsOf } from './assets.ts';
import type { DeletedFile, FileList, PushedFile } from './files.ts';
import { type Http, type HttpCall, mediaTypeOf } from './http.ts';
import { general } from './operations.ts';
import type { Platform } from './types.ts';
import { uploadBody } from './upload-body.ts';

/** Where a file is. */
export interface FileRootOptions {
  /** The identifier of an app, for its own folder; default: the folder that the device shares among its apps. */
  readonly app?: string | undefined;
}

/** Files of a session's device. Calls keep their place behind earlier interactions. Names are data: none is decoded or changed. */
export class DeviceFiles {
  readonly #http: Http;
  readonly #about: { readonly sessionId: string; readonly platform: Platform };
  readonly #sendsStreams: boolean;

  constructor(http: Http, about: { readonly sessionId: string; readonly platform: Platform }, sendsStreams: boolean) {
    this.#http = http;
    this.#about = about;
    this.#sendsStreams = sendsStreams;
  }

  /** What is in a folder, by name, at most 1,000 entries. @param path default: the root itself */
  async list(path = '', { app, signal }: CallOptions & FileRootOptions = {}): Promise<FileList> {
    const to = routeTo('GET /service/{platform}/{sessionId}/files', this.#about);
    const call = { ...this.#call('list', to, checkedFileQuery(path, app, true)), signal };
    const list = await this.#http.json<FileList>(call);
    if (Array.isArray(list.entries)) return list;
    throw this.#http.invalid(call, 'there are no entries in it', { status: 200 });
  }

  /** The bytes of a file of at most 64 MiB. */
  async pull(path: string, { app, signal }: CallOptions & FileRootOptions = {}): Promise<Uint8Array> {
    const to = routeTo('GET /service/{platform}/{sessionId}/files/content', this.#about);
    const { uploadedMs: waitMs } = this.#http.bounds;
    const call = { ...this.#call('pull', to, checkedFileQuery(path, app)), signal, waitMs };
    return this.#http.read(call, async (response, deadline) => {
      const isFile = mediaTypeOf(response) === 'application/octet-stream';
      const bytes = isFile ? await readBytes(response, LIMITS.fileBytes, deadline) : undefined;
      if (bytes && bytes.length === (lengthOf(response) ?? bytes.length)) return bytes;
      await response.body?.cancel().catch(() => undefined);
      throw this.#http.invalid(call, 'no file, or not all of it', response);
    });
  }

  /**
   * Writes a file of at most 64 MiB, in the place of one of this name, with the folders of its path; whole or not at all. Resolves
   * with what the device tells of it then.
   */
  async push(
    path: string,
    source: AssetSource,
    { app, signal, force }: InputOptions & FileRootOptions = {},
  ): Promise<PushedFile> {
    const { body, byteSize } = partsOf(source, 'file', 0);
    const { bounds } = this.#http;
    const watched = body instanceof ReadableStream ? body : this.#sendsStreams ? new Blob([body]).stream() : undefined;
    const to = routeTo('PUT /service/{platform}/{sessionId}/files/content', this.#about);
    const call: HttpCall = {
      ...this.#call('push', to, checkedFileQuery(path, app), force),
      headers: {
        'Content-Type': 'application/octet-stream',
        ...(watched ? { 'Content-Length': String(byteSize) } : {}),
      },
      body: (deadline) => (watched ? uploadBody(watched, deadline, bounds) : (body as BodyInit)),
      signal,
      waitMs: watched ? bounds.silenceMs : bounds.uploadedMs,
    };
    const pushed = await this.#http.json<PushedFile>(call);
    if (typeof pushed.path === 'string' && Number.isSafeInteger(pushed.byteSize)) return pushed;
    throw this.#http.invalid(call, 'it tells of no file', { status: 200 });
  }

  /** Deletes a file, a link or an empty folder. */
  async delete(path: string, { app, signal, force }: InputOptions & FileRootOptions = {}): Promise<DeletedFile> {
    const to = routeTo('DELETE /service/{platform}/{sessionId}/files', this.#about);
    const call = { ...this.#call('delete', to, checkedFileQuery(path, app), force), signal };
    const deleted = await this.#http.json<DeletedFile>(call);
    if (typeof deleted.path === 'string') return deleted;
    throw this.#http.invalid(call, 'it tells of no file', { status: 200 });
  }

  #call(
    name: string,
    { method, path }: Pick<HttpCall, 'method' | 'path'>,
    asked: URLSearchParams,
    force?: boolean,
  ): HttpCall {
    if (force) asked.set('force', 'true');
    const { workMs, graceMs } = this.#http.bounds;
    const to = { method, path: `${path}?${asked}`, waitMs: workMs + graceMs, about: this.#about };
    return { operation: general(`files.${name}`), ...to };
  }
}

/** Checks a path before anything is sent. Throws `TypeError` or `RangeError`. @param isFolder whether it may be the root itself */
export function checkedFileQuery(path: string, app: string | undefined, isFolder = false): URLSearchParams {
  if (typeof path !== 'string') throw new TypeError('"path" must be a text.');
  const fault = isFolder && path === '' ? undefined : filePathFault(path);
  if (fault) throw new RangeError(`"path" ${fault}.`);
  return new URLSearchParams({ root: app === undefined ? 'shared' : `app:${app}`, path });
}
