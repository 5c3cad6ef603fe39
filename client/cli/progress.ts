import type { Cli, OutputOptions } from './cli.ts';
import { visible } from './visible.ts';

/** Passes chunks on and shows their progress if standard error is a terminal. */
export async function* withProgress(
  cli: Cli,
  { json }: OutputOptions,
  { label, byteSize }: { readonly label: string; readonly byteSize: number | undefined },
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const { terminal: stream } = cli.out;
  if (json || stream === undefined || byteSize === undefined) {
    yield* chunks;
    return;
  }
  const { Presets, SingleBar } = await import('cli-progress');
  const format = `${visible(label)} {bar} {percentage}% of {size}`;
  const bar = new SingleBar({ format, stream }, Presets.shades_classic);
  bar.start(byteSize, 0, { size: sizeOf(byteSize) });
  try {
    for await (const chunk of chunks) {
      bar.increment(chunk.length);
      // A consumer that knows the length never asks for more, and the `finally` below would not run.
      if (bar.getProgress() >= 1) bar.stop();
      yield chunk;
    }
  } finally {
    bar.stop();
  }
}

/** Bytes as people read them. */
export function sizeOf(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  const [value, unit] = bytes < 1_048_576 ? [bytes / 1_024, 'KiB'] : [bytes / 1_048_576, 'MiB'];
  return `${value.toFixed(1)} ${unit}`;
}
