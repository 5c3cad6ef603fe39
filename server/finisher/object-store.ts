import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3';
import { RecordingFault } from '../link/recording-fault.ts';
import type { GetOrder, ObjectStoreSettings, PutOrder, ReferOrder } from '../link/recording-messages.ts';

/** Parts of an upload, but for the last one, have at least 5 MiB (S3 API, "Multipart upload limits"). */
const PART_BYTES = 8 * 1_024 * 1_024;
/** A store that is silent for longer is away. */
const CALL_MS_MAX = 60_000;

type Library = typeof import('@aws-sdk/client-s3');
type Presigner = typeof import('@aws-sdk/s3-request-presigner');

/** What the store said, as the client library tells it. */
interface StoreError {
  readonly name?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/**
 * An object store that speaks the S3 API, for files of recordings, histories and apps. Its methods reject with a `RecordingFault` of the stage `store`:
 * `storage_full` where the store says so; retryable, but where an object is not what its record says.
 */
export class ObjectStore {
  readonly #settings: ObjectStoreSettings;
  #opened: Promise<{ readonly library: Library; readonly presigner: Presigner; readonly client: S3Client }> | undefined;

  constructor(settings: ObjectStoreSettings) {
    this.#settings = settings;
  }

  /** Whether the bucket is there, and is ours to use. */
  async reach(): Promise<void> {
    const { library, client, bucket } = await this.#open();
    await told(() => client.send(new library.HeadBucketCommand({ Bucket: bucket }), limit()));
  }

  /**
   * Stores a file, and reads back its size, its first and its last part. Can be repeated: an object that is there
   * is never written over, but deleted where it is another one.
   */
  async put(order: PutOrder): Promise<void> {
    const file = await told(() => open(order.file, 'r'));
    try {
      await told(() => (order.byteSize > PART_BYTES ? this.#putParts(order, file) : this.#putWhole(order, file)));
      if (await this.#isSame(order, file)) return;
      await this.delete(order.key);
    } finally {
      await file.close();
    }
    throw fault('The object store holds something else than it was given.', true);
  }

  /** Writes an object into a file, which is whole when this resolves; a part at a time is held. */
  async get({ key, file, byteSize, sha256 }: GetOrder): Promise<void> {
    const target = await open(file, 'w', 0o600);
    const hash = createHash('sha256');
    try {
      await this.#check(key, byteSize);
      for (let at = 0; at < byteSize; at += PART_BYTES) {
        const part = await this.#read(key, at, Math.min(PART_BYTES, byteSize - at));
        hash.update(part);
        await target.writeFile(part);
      }
    } finally {
      await target.close();
    }
    if (hash.digest('hex') !== sha256) throw fault('The object store holds something else than it was given.', false);
  }

  /** An address that gives the object for a while to whoever has it. The object was seen to be there. */
  async refer({ key, byteSize, validSeconds }: ReferOrder): Promise<string> {
    const { library, presigner, client, bucket } = await this.#open();
    await this.#check(key, byteSize);
    const get = new library.GetObjectCommand({ Bucket: bucket, Key: key });
    return told(() => presigner.getSignedUrl(client, get, { expiresIn: validSeconds }));
  }

  /** Deletes an object, if it is there. */
  async delete(key: string): Promise<void> {
    const { library, client, bucket } = await this.#open();
    await told(() => client.send(new library.DeleteObjectCommand({ Bucket: bucket, Key: key }), limit()));
  }

  async #putWhole({ key, byteSize, ...rest }: PutOrder, file: FileHandle): Promise<void> {
    const { library, client, bucket } = await this.#open();
    const put = new library.PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: await bytesOf(file, 0, byteSize),
      IfNoneMatch: '*',
      ...about(rest),
    });
    await unlessThere(client.send(put, limit()));
  }

  async #putParts({ key, byteSize, ...rest }: PutOrder, file: FileHandle): Promise<void> {
    const { library, client, bucket } = await this.#open();
    const object = { Bucket: bucket, Key: key };
    const create = new library.CreateMultipartUploadCommand({ ...object, ...about(rest) });
    const { UploadId } = await client.send(create, limit());
    const upload = { ...object, UploadId };
    try {
      const parts: { PartNumber: number; ETag: string | undefined }[] = [];
      for (let at = 0; at < byteSize; at += PART_BYTES) {
        const PartNumber = parts.length + 1;
        const Body = await bytesOf(file, at, Math.min(PART_BYTES, byteSize - at));
        const { ETag } = await client.send(new library.UploadPartCommand({ ...upload, PartNumber, Body }), limit());
        parts.push({ PartNumber, ETag });
      }
      const MultipartUpload = { Parts: parts };
      const complete = new library.CompleteMultipartUploadCommand({ ...upload, MultipartUpload, IfNoneMatch: '*' });
      if (await unlessThere(client.send(complete, limit()))) return;
    } catch (error) {
      await this.#abort(upload);
      throw error;
    }
    await this.#abort(upload);
  }

  /** Parts of an upload that nobody completes are paid for. */
  async #abort(upload: { Bucket: string; Key: string; UploadId: string | undefined }): Promise<void> {
    const { library, client } = await this.#open();
    // A store that is away keeps them, until a rule of the bucket removes them.
    await client.send(new library.AbortMultipartUploadCommand(upload), limit()).catch(() => undefined);
  }

  async #isSame({ key, byteSize }: PutOrder, file: FileHandle): Promise<boolean> {
    if ((await this.#sizeOf(key)) !== byteSize) return false;
    const last = Math.floor((byteSize - 1) / PART_BYTES) * PART_BYTES;
    for (const start of new Set([0, last])) {
      const length = Math.min(PART_BYTES, byteSize - start);
      const stored = await this.#read(key, start, length);
      if (!(await bytesOf(file, start, length)).equals(stored)) return false;
    }
    return true;
  }

  async #check(key: string, byteSize: number): Promise<void> {
    if ((await this.#sizeOf(key)) !== byteSize) throw fault('The object store has lost the object.', false);
  }

  /** Bytes of an object; `undefined` if it is not there. */
  async #sizeOf(key: string): Promise<number | undefined> {
    const { library, client, bucket } = await this.#open();
    return told(async () => {
      try {
        const head = await client.send(new library.HeadObjectCommand({ Bucket: bucket, Key: key }), limit());
        return head.ContentLength;
      } catch (error) {
        if (statusOf(error) === 404) return undefined;
        throw error;
      }
    });
  }

  async #read(key: string, start: number, length: number): Promise<Uint8Array> {
    const { library, client, bucket } = await this.#open();
    const Range = `bytes=${start}-${start + length - 1}`;
    const get = new library.GetObjectCommand({ Bucket: bucket, Key: key, Range });
    return told(async () => contentOf(await client.send(get, limit()), length));
  }

  async #open() {
    this.#opened ??= openClient(this.#settings);
    return { ...(await this.#opened), bucket: this.#settings.bucket };
  }
}

/** The library is loaded only where there is a store. */
async function openClient({ url, region, accessKeyId, secretAccessKey }: ObjectStoreSettings) {
  const [library, presigner] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ]);
  const client = new library.S3Client({
    endpoint: url,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Names of buckets are no host names of every store.
    forcePathStyle: true,
    // Stores of others do not take checksums behind a body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { library, presigner, client };
}

const limit = () => ({ abortSignal: AbortSignal.timeout(CALL_MS_MAX) });

const about = ({ sha256, fileName, mediaType }: Pick<PutOrder, 'sha256' | 'fileName' | 'mediaType'>) => ({
  ContentType: mediaType,
  ContentDisposition: `attachment; filename="${fileName}"`,
  CacheControl: 'private, no-cache',
  Metadata: { sha256 },
});

const statusOf = (error: unknown): number | undefined => (error as StoreError).$metadata?.httpStatusCode;

/** Resolves with `false` when an object was there before (RFC 9110, section 13.1.2). */
async function unlessThere(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (statusOf(error) === 412) return false;
    throw error;
  }
}

/** The body of an answer, which may end early or never. */
async function contentOf({ Body }: GetObjectCommandOutput, bytesMax: number): Promise<Uint8Array> {
  if (!Body) return new Uint8Array();
  const body = Body as unknown as NodeJS.ReadableStream & AsyncIterable<Uint8Array> & { destroy(error?: Error): void };
  const timer = setTimeout(() => body.destroy(new Error('it sends no more')), CALL_MS_MAX);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      bytes += piece.byteLength;
      if (bytes > bytesMax) break;
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(pieces);
}

async function bytesOf(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(bytes, at, length - at, start + at);
    if (bytesRead === 0) throw new Error('the file is shorter than its record says');
    at += bytesRead;
  }
  return bytes;
}

/** MinIO and Ceph answer so when they have no room; AWS never does. */
const FULL: readonly unknown[] = ['XMinioStorageFull', 'QuotaExceeded', 'EntityTooLarge'];

async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RecordingFault) throw error;
    const isFull = FULL.includes((error as StoreError).name) || statusOf(error) === 507;
    if (isFull) throw fault('The object store has no room.', true, 'storage_full', error);
    throw fault('The object store cannot be reached, or refuses.', true, 'storage_error', error);
  }
}

function fault(
  message: string,
  retryable: boolean,
  code: 'storage_full' | 'storage_error' = 'storage_error',
  cause?: unknown,
): RecordingFault {
  return new RecordingFault({ stage: 'store', code, message, retryable }, cause);
}
