import { Child, type ChildOptions } from './child.ts';
import { askLoopHeld, type LoopHeld } from './loop-held.ts';
import { askMemoryUse, type MemoryUse } from './memory-use.ts';
import { beginProfile, endProfile } from './profile.ts';

/** A server of the bench: the service or a control, reached at 127.0.0.1 or where it says. */
export interface ServerProcess {
  readonly host: string;
  readonly port: number;
  readonly pid: number;
  /** What it wrote to standard error last, for the message of a failure. */
  lastWords(): string;
  /** How long its loop was held since the last question; only of a server that was started with `LOOP_WATCH`. */
  loopHeld(): Promise<LoopHeld>;
  /** What it holds; only of a server that was started with `MEMORY_WATCH`. */
  memoryUse(): Promise<MemoryUse>;
  /** Begins to note where its time and memory go; only of a server that was started with `PROFILE_WATCH`. */
  beginProfile(): Promise<void>;
  /** Writes what was noted since to the folder. */
  endProfile(dir: string): Promise<void>;
  /** Ends it; never rejects. */
  stop(): Promise<void>;
}

const READY_LINE = /listening on http:\/\/([^\s:]+):(\d+)/;
const READY_MS_MAX = 20_000;

/** Starts a server and waits for its ready line. Throws, with its last words, when it ends or stays silent instead. */
export async function startServer(options: ChildOptions): Promise<ServerProcess> {
  const child = new Child(options);
  let timer: NodeJS.Timeout | undefined;
  const ready = new Promise<RegExpExecArray>((resolve, reject) => {
    let output = '';
    child.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < 65_536) output += text;
      const found = READY_LINE.exec(output);
      if (found) resolve(found);
    });
    timer = setTimeout(() => reject(new Error(`${options.name} is not ready after ${READY_MS_MAX} ms`)), READY_MS_MAX);
  });
  try {
    const [, host = '', port = ''] = await Promise.race([ready, child.gone()]);
    return {
      host,
      port: Number(port),
      pid: child.pid,
      lastWords: () => child.lastWords(),
      loopHeld: () => askLoopHeld(child.process),
      memoryUse: () => askMemoryUse(child.process),
      beginProfile: () => beginProfile(child.process),
      endProfile: (dir) => endProfile(child.process, dir),
      stop: () => child.stop(),
    };
  } catch (error) {
    await child.stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
