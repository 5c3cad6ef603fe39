import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { PackageFault } from '../archive/package-fault.ts';
import { type PackageAnswer, type PackageQuestion, packageLine, type ReadPackage } from '../link/package-lines.ts';
import { describePackage } from './describe-package.ts';
import { forgetOtherPictures } from './icon.ts';

/** Large pieces: each costs a turn of the event loop. */
const PIECE_BYTES = 2 ** 20;

// The XML library tells the console what it thinks of a document, besides throwing; it is the uploader who is told.
console.error = () => undefined;
console.warn = () => undefined;

/** The entry of the thread that reads uploaded packages; `package-guard.mjs` is the rest of its process. */
if (!parentPort) throw new Error('packages/package-thread.ts runs as a worker thread');
const guard = parentPort;
forgetOtherPictures();
guard.on('message', (question: PackageQuestion) => {
  void answer(question).then((message) => guard.postMessage({ line: packageLine(message), call: question.call }));
});
guard.postMessage({ line: packageLine({ kind: 'ready' }) });

async function answer({ call, path }: PackageQuestion): Promise<PackageAnswer> {
  try {
    return { kind: 'read', call, read: await read(path) };
  } catch (error) {
    if (error instanceof PackageFault) return { kind: 'refused', call, message: error.message };
    if (isOutOfMemory(error)) {
      return { kind: 'refused', call, message: 'The package cannot be read in the memory there is for it.' };
    }
    return { kind: 'failed', call, message: String(error) };
  }
}

/** The errors that Node.js throws when the system has no more memory for a buffer. */
function isOutOfMemory(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOMEM' || code === 'ERR_MEMORY_ALLOCATION_FAILED' || /allocation failed/.test(String(error));
}

/** Describes the package first: an invalid package needs no checksum. */
async function read(path: string): Promise<ReadPackage> {
  const app = await describePackage(path);
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) hash.update(piece as Buffer);
  return { checksum: hash.digest('hex'), app };
}
