import { Child, type ChildOptions } from './child.ts';
import { askLoopHeld, type LoopHeld } from './loop-held.ts';
import { askMemoryUse, type MemoryUse } from './memory-use.ts';
import { beginProfile, endProfile } from './profile.ts';

/** A server of the bench: the service, a control or a peer. */
export interface ServerProcess {
  readonly host: string;
  readonly port: number;
  readonly pid: number;
  /** The end of its standard error, for the message of a failure. */
  lastWords(): string;
  /** How long its event loop was blocked since the last query; requires `LOOP_WATCH`. */
  loopHeld(): Promise<LoopHeld>;
  /** Its memory and other resources; requires `MEMORY_WATCH`. */
  memoryUse(): Promise<MemoryUse>;
  /** Starts profiling its time and memory; requires `PROFILE_WATCH`. */
  beginProfile(): Promise<void>;
  /** Stops profiling and writes the profiles to the folder. */
  endProfile(dir: string): Promise<void>;
  /** Ends it; never rejects. */
  stop(): Promise<void>;
}

const READY_LINE = /listening on http:\/\/([^\s:]+):(\d+)/;
const READY_MS_MAX = 60_000;

/** Starts a server and waits for its ready line. Throws, with the end of its standard error, if it ends or prints no such line. */
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
