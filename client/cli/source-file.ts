import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ReadableStream } from 'node:stream/web';
import type { Cli, OutputOptions } from './cli.ts';
import { invalidRequest } from './failure.ts';
import { withProgress } from './progress.ts';

/** A file that is read while it is sent, which shows how far it is. @param most words for `bytesMax` */
export async function sourceFile(
  cli: Cli,
  file: string,
  {
    bytesMin = 1,
    bytesMax,
    most,
    ...options
  }: OutputOptions & { readonly bytesMin?: number; readonly bytesMax: number; readonly most: string },
): Promise<{ readonly stream: globalThis.ReadableStream<Uint8Array>; readonly byteSize: number }> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw invalidRequest(`"${file}" is no file that can be read.`);
  const { size: byteSize } = found;
  if (byteSize < bytesMin || byteSize > bytesMax) {
    throw invalidRequest(`"${file}" must have ${bytesMin === 0 ? 'at most' : '1 byte to'} ${most}.`);
  }
  const source = createReadStream(file);
  cli.own(() => source.destroy());
  const chunks = withProgress(cli, options, { label: 'upload', byteSize }, source);
  return { stream: ReadableStream.from(chunks) as unknown as globalThis.ReadableStream<Uint8Array>, byteSize };
}
