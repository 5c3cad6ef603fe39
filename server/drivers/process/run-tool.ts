import { basename } from 'node:path';
import { DeviceFault } from '../../device/fault.ts';
import type { ToolEnvironment } from '../../device/target.ts';
import { endGroup, spawnChild } from './children.ts';
import { plainLine } from './plain-line.ts';

export interface ToolOptions {
  readonly tools: ToolEnvironment;
  /** The program is ended when it takes longer. */
  readonly timeoutMs: number;
  /** Of each of its two outputs; a program that says more is ended. */
  readonly outputBytesMax?: number;
  /** Ends the program early. */
  readonly signal?: AbortSignal;
  /** Written to its standard input, which then ends. */
  readonly input?: string | Uint8Array;
}

export interface ToolResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Lists of a thousand apps fit; screenshots have bounds of their own. */
const OUTPUT_BYTES_MAX = 4_194_304;

/**
 * Runs a program to its end, whatever its exit code. Rejects with a `DeviceFault`: `unavailable` when it cannot be started,
 * is killed, or does not end in time, `nonsense` when it says too much, `aborted` when the signal fires. It is gone with
 * everything that it has started when this settles by any of them, or soon after.
 */
export function runTool(program: string, args: readonly string[], options: ToolOptions): Promise<ToolResult> {
  const { tools, timeoutMs, outputBytesMax = OUTPUT_BYTES_MAX, signal, input } = options;
  const name = basename(program);
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new DeviceFault('aborted', `\`${name}\` was not needed any more.`));
    const child = spawnChild(program, args, tools, 'pipe');
    let settled = false;
    const settle = (end: () => void) => {
      if (settled) return;
      settled = true;
      clearTimeout(deadline);
      signal?.removeEventListener('abort', onAbort);
      end();
    };
    const fail = (fault: DeviceFault) => {
      settle(() => reject(fault));
      child.stdout?.destroy();
      child.stderr?.destroy();
      endGroup(child);
    };
    const onAbort = () => fail(new DeviceFault('aborted', `\`${name}\` was not needed any more.`));
    const deadline = setTimeout(() => {
      fail(new DeviceFault('unavailable', `\`${name}\` did not end within ${timeoutMs} ms.`));
    }, timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    const gather = (stream: NodeJS.ReadableStream | null) => {
      const pieces: Buffer[] = [];
      let bytes = 0;
      stream?.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > outputBytesMax) fail(new DeviceFault('nonsense', `\`${name}\` said more than is believable.`));
        else pieces.push(piece);
      });
      return pieces;
    };
    const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
    child.on('error', (error) => {
      fail(new DeviceFault('unavailable', `\`${name}\` cannot be started: ${plainLine(error.message)}.`));
    });
    child.on('close', (exitCode, killed) => {
      if (exitCode === null) return fail(new DeviceFault('unavailable', `\`${name}\` was ended by ${killed}.`));
      settle(() => resolve({ exitCode, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }));
    });
    // A program that does not read its input may end before it was written.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
