import { once } from 'node:events';
import type { Cli } from './cli.ts';

/** Bytes to standard output, as fast as it takes them. */
export async function writeOut(cli: Cli, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  const { stdout } = cli.io;
  for await (const chunk of chunks) if (!stdout.write(chunk)) await once(stdout, 'drain');
}
