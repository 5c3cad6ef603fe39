import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { PackageAnswer, PackageQuestion, ReadPackage } from '../link/package-reader.ts';
import { portToGateway } from '../link/worker-port.ts';
import { describePackage } from './package/describe-package.ts';
import { PackageFault } from './package/package-fault.ts';

/** Large pieces: each costs a turn of the event loop. */
const PIECE_BYTES = 2 ** 20;

// The XML library tells the console what it thinks of a document, besides throwing; it is the uploader who is told.
console.error = () => undefined;
console.warn = () => undefined;

/** The entry of the thread that reads uploaded packages, so that no device and no socket waits for one. */
if (!parentPort) throw new Error('host/package-worker.ts runs as a worker thread');
const port = portToGateway<PackageAnswer, PackageQuestion>(parentPort);
port.onReceive((batch) => {
  for (const question of batch) void answer(question).then((message) => port.send([message], []));
});

async function answer({ call, path }: PackageQuestion): Promise<PackageAnswer> {
  try {
    return { kind: 'read', call, read: await read(path) };
  } catch (error) {
    if (error instanceof PackageFault) return { kind: 'refused', call, message: error.message };
    return { kind: 'failed', call, message: String(error) };
  }
}

/** What it is comes first: an unsound package needs no checksum. */
async function read(path: string): Promise<ReadPackage> {
  const app = await describePackage(path);
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) hash.update(piece as Buffer);
  return { checksum: hash.digest('hex'), app };
}
