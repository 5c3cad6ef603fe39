import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type S3Credentials, signatureFault } from './signature.ts';

const PART_BYTES_MIN = 5 * 1_024 * 1_024;

/** How a store fails: it closes connections, has no room, answers nothing, tells another size, or stores other bytes. */
export type Trouble = 'away' | 'full' | 'silent' | 'wrong size' | 'wrong bytes';

interface StoredObject {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const KEPT_HEADERS = ['content-type', 'content-disposition', 'cache-control'];
const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;
const failure = (status: number, code: string): Answer => ({
  status,
  headers: { 'Content-Type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});
const xml = (body: string): Answer => ({ status: 200, headers: { 'Content-Type': 'application/xml' }, body });

/**
 * A small object store with one bucket, made from the S3 API reference: objects, multipart uploads, ranges, `If-None-Match: *`, and
 * signatures of version 4, which it checks.
 */
export class S3Server {
  readonly credentials: S3Credentials = {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'eu-central-1',
  };
  readonly bucket = 'runcloud-test';
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<
    string,
    { readonly key: string; readonly headers: Record<string, string>; readonly parts: Map<number, Buffer> }
  >();
  /** `METHOD key` of each request that was let in. */
  readonly requests: string[] = [];
  /** Codes of the requests that were not. */
  readonly refusals: string[] = [];
  trouble: Trouble | undefined;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  static async start(): Promise<S3Server> {
    const store = new S3Server();
    store.#server.listen(0, '127.0.0.1');
    await once(store.#server, 'listening');
    return store;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Settings of a service that keeps its recordings here. */
  get environment(): Readonly<Record<string, string>> {
    const { accessKeyId, secretAccessKey, region } = this.credentials;
    return {
      RUNCLOUD_S3_URL: this.url,
      RUNCLOUD_S3_BUCKET: this.bucket,
      RUNCLOUD_S3_REGION: region,
      RUNCLOUD_S3_ACCESS_KEY_ID: accessKeyId,
      RUNCLOUD_S3_SECRET_ACCESS_KEY: secretAccessKey,
    };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.trouble === 'away') return void request.socket.destroy();
    const body = await buffer(request).catch(() => undefined);
    if (!body || this.trouble === 'silent') return;
    const { status, headers = {}, body: content = '' } = this.#answer(request, body);
    const bytes = Buffer.from(content);
    // A HEAD tells the length that a GET would have.
    const length = headers['Content-Length'] ?? String(bytes.length);
    response.writeHead(status, { ...headers, 'Content-Length': length });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }

  #answer(request: IncomingMessage, body: Buffer): Answer {
    const { method = '', url: target = '', headers } = request;
    const refused = signatureFault({ method, target, headers, body, nowMs: Date.now() }, this.credentials);
    if (refused !== undefined) {
      this.refusals.push(refused);
      return failure(403, refused);
    }
    const url = new URL(target, this.url);
    const [, bucket, ...rest] = url.pathname.split('/');
    if (bucket !== this.bucket) return failure(404, 'NoSuchBucket');
    const key = decodeURIComponent(rest.join('/'));
    this.requests.push(`${method} ${key}`);
    if (key === '') return { status: method === 'HEAD' ? 200 : 405 };
    const { searchParams: query } = url;
    if (query.has('uploads') || query.has('uploadId')) return this.#multipart(method, key, query, headers, body);
    if (method === 'PUT') return this.#put(key, body, headers, keptOf(headers));
    if (method === 'DELETE') {
      this.objects.delete(key);
      return { status: 204 };
    }
    return this.#get(method, key, headers.range);
  }

  #put(key: string, bytes: Buffer, headers: IncomingMessage['headers'], kept: Record<string, string>): Answer {
    if (this.trouble === 'full') return failure(507, 'XMinioStorageFull');
    if (headers['if-none-match'] === '*' && this.objects.has(key)) return failure(412, 'PreconditionFailed');
    const stored = Buffer.from(bytes);
    if (this.trouble === 'wrong bytes') stored[stored.length - 1] = (stored[stored.length - 1] ?? 0) ^ 1;
    this.objects.set(key, { bytes: stored, headers: kept });
    return { status: 200, headers: { ETag: etagOf(bytes) } };
  }

  #get(method: string, key: string, range: string | undefined): Answer {
    const object = this.objects.get(key);
    if (!object) return failure(404, 'NoSuchKey');
    const { bytes } = object;
    const headers = { ...object.headers, ETag: etagOf(bytes), 'Accept-Ranges': 'bytes' };
    if (method === 'HEAD') {
      const length = this.trouble === 'wrong size' ? bytes.length - 1 : bytes.length;
      return { status: 200, headers: { ...headers, 'Content-Length': String(length) } };
    }
    if (method !== 'GET') return failure(405, 'MethodNotAllowed');
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
    if (from === undefined) return { status: 200, headers, body: bytes };
    const start = Number(from);
    const end = Math.min(to ? Number(to) : bytes.length - 1, bytes.length - 1);
    if (start > end) return failure(416, 'InvalidRange');
    const part = { ...headers, 'Content-Range': `bytes ${start}-${end}/${bytes.length}` };
    return { status: 206, headers: part, body: bytes.subarray(start, end + 1) };
  }

  #multipart(
    method: string,
    key: string,
    query: URLSearchParams,
    headers: IncomingMessage['headers'],
    body: Buffer,
  ): Answer {
    if (this.trouble === 'full') return failure(507, 'XMinioStorageFull');
    if (method === 'POST' && query.has('uploads')) {
      const id = randomUUID();
      this.uploads.set(id, { key, headers: keptOf(headers), parts: new Map() });
      return xml(
        `<InitiateMultipartUploadResult><Bucket>${this.bucket}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    const id = query.get('uploadId') ?? '';
    const upload = this.uploads.get(id);
    if (upload?.key !== key) return failure(404, 'NoSuchUpload');
    if (method === 'DELETE') {
      this.uploads.delete(id);
      return { status: 204 };
    }
    if (method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body);
      return { status: 200, headers: { ETag: etagOf(body) } };
    }
    const named = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: (/<ETag>(.*?)</.exec(part)?.[1] ?? '').replaceAll('&quot;', '"'),
    }));
    const parts: Buffer[] = [];
    for (const { number, etag } of named) {
      const bytes = upload.parts.get(number);
      if (!bytes || etagOf(bytes) !== etag) return failure(400, 'InvalidPart');
      parts.push(bytes);
    }
    if (parts.slice(0, -1).some(({ length }) => length < PART_BYTES_MIN)) return failure(400, 'EntityTooSmall');
    const stored = this.#put(key, Buffer.concat(parts), headers, upload.headers);
    if (stored.status !== 200) return stored;
    this.uploads.delete(id);
    return xml(
      `<CompleteMultipartUploadResult><Key>${key}</Key><ETag>&quot;x-${parts.length}&quot;</ETag></CompleteMultipartUploadResult>`,
    );
  }
}

const keptOf = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      (KEPT_HEADERS.includes(name) || name.startsWith('x-amz-meta-')) && typeof value === 'string'
        ? [[name, value]]
        : [],
    ),
  );
