import { createHash } from 'node:crypto';
import { ServiceError } from '@runcloud/protocol/terms';
import { namesTag } from '../socket/entity-tags.ts';
import type { HeaderName, HttpReply } from '../socket/http.ts';
import { type ContentCoding, codingFor, encoded } from './content-codings.ts';

/** The part of a request that is needed to serve a file. */
export interface FileRequest {
  header(name: HeaderName): string | undefined;
}

interface Source {
  readonly entry: string;
  readonly contentType: string;
  /** Pages of other origins load it as a module, which browsers allow only where the answer says so. */
  readonly forOtherOrigins?: true;
}

interface BuiltFile {
  readonly bodies: Readonly<Record<ContentCoding, Uint8Array>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Of the body as it is; each of its forms on the way has a tag of its own. */
  readonly digest: string;
}

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** A file of `/viewer/{file}` and its source. */
const SOURCES: ReadonlyMap<string, Source> = new Map<string, Source>([
  ['app.js', { entry: 'client/viewer/main.ts', contentType: SCRIPT }],
  ['style.css', { entry: 'client/viewer/style.css', contentType: STYLE }],
  ['embed.js', { entry: 'client/embed/index.ts', contentType: SCRIPT, forOtherOrigins: true }],
  ['dashboard.js', { entry: 'client/dashboard/main.ts', contentType: SCRIPT }],
  ['dashboard.css', { entry: 'client/dashboard/style.css', contentType: STYLE }],
  ['reference.js', { entry: 'client/reference/main.ts', contentType: SCRIPT }],
  ['reference.css', { entry: 'client/reference/style.css', contentType: STYLE }],
  ['notice.css', { entry: 'client/page/notice.css', contentType: STYLE }],
]);

/** Anybody may ask for a file: a build that fails is not begun anew by each who does. */
const RETRY_MS = 5_000;

/**
 * Script and style of the viewer. Each file is built and compressed at its first request, once in the life of the process, and
 * kept in memory: nothing is on disk that could be older than its sources. One that could not be built is tried again a while
 * later: what was lacking may be memory or files.
 */
export class ViewerFiles {
  readonly #bundle: (entry: string) => Promise<Uint8Array>;
  readonly #built = new Map<string, Promise<BuiltFile>>();
  /** When what could not be built is tried again. */
  readonly #nextTryMs = new Map<string, number>();
  readonly #nowMs: () => number;

  /** @param bundle makes one file for browsers out of a source file */
  constructor(bundle: (entry: string) => Promise<Uint8Array>, nowMs = () => performance.now()) {
    this.#bundle = bundle;
    this.#nowMs = nowMs;
  }

  /** Throws `not_found` for any other name; rejects with the fault of a build that failed. */
  serve(name: string, request: FileRequest): Promise<HttpReply> {
    const source = SOURCES.get(name);
    if (!source) throw new ServiceError('not_found');
    const etags = request.header('if-none-match');
    const coding = codingFor(request.header('accept-encoding'));
    return this.#file(name, source).then(({ bodies, digest, headers: common }) => {
      const body = bodies[coding];
      const etag = coding === 'identity' ? `"${digest}"` : `"${digest}-${coding}"`;
      const headers = { ...common, ETag: etag, ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }) };
      return namesTag(etags, etag)
        ? { status: 304, headers, body: '', bodyBytes: body.length }
        : { status: 200, headers, body };
    });
  }

  #file(name: string, source: Source): Promise<BuiltFile> {
    const known = this.#built.get(name);
    if (known !== undefined && this.#nowMs() < (this.#nextTryMs.get(name) ?? Number.POSITIVE_INFINITY)) return known;
    this.#nextTryMs.delete(name);
    const file = this.#bundle(source.entry).then((body) => toFile(body, source));
    this.#built.set(name, file);
    file.catch(() => {
      this.#nextTryMs.set(name, this.#nowMs() + RETRY_MS);
    });
    return file;
  }
}

async function toFile(body: Uint8Array, { contentType, forOtherOrigins }: Source): Promise<BuiltFile> {
  const headers = {
    'Content-Type': contentType,
    // Kept by browsers, and asked for again each time: a new server's page never runs an old script.
    'Cache-Control': 'no-cache',
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
    ...(forOtherOrigins ? { 'Access-Control-Allow-Origin': '*' } : {}),
  };
  return { bodies: await encoded(body), headers, digest: createHash('sha256').update(body).digest('base64url') };
}
