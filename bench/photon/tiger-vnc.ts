import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inTime } from './tap-loop.ts';

const PROGRAM = 'Xtigervnc';
const X_MARK = fileURLToPath(new URL('./x-mark.ts', import.meta.url));
/** A display's VNC port is the sum of this and its number. */
const FIRST_PORT = 5_900;
const START_MS_MAX = 15_000;
const DISPLAY_FD = 3;

let installed: boolean | undefined;

/** Whether TigerVNC's server is installed on this machine (Debian: `tigervnc-standalone-server`). */
export function hasTigerVnc(): boolean {
  installed ??= spawnSync(PROGRAM, ['-version'], { stdio: 'ignore' }).error === undefined;
  return installed;
}

/** TigerVNC's own X server with the window that is tapped. */
export class TigerVnc {
  readonly port: number;
  readonly #server: ChildProcess;
  readonly #window: ChildProcess;

  private constructor(server: ChildProcess, window: ChildProcess, display: number) {
    this.#server = server;
    this.#window = window;
    this.port = FIRST_PORT + display;
  }

  /** @param frameRate maximum updates per second; by default, TigerVNC's own */
  static async start(width: number, height: number, frameRate?: number): Promise<TigerVnc> {
    const rate = frameRate === undefined ? [] : ['-FrameRate', String(frameRate)];
    const server = spawn(
      PROGRAM,
      [
        ...['-displayfd', String(DISPLAY_FD), '-geometry', `${width}x${height}`, '-depth', '24', ...rate],
        // Only this machine can connect, without a password. The server ends with its last client, the window.
        ...['-localhost', '-interface', '127.0.0.1', '-SecurityTypes', 'None', '-nolisten', 'tcp', '-ac', '-terminate'],
      ],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
    );
    const started: ChildProcess[] = [server];
    try {
      const [text] = await inTime(
        once(server.stdio[DISPLAY_FD] as NodeJS.ReadableStream, 'data'),
        PROGRAM,
        START_MS_MAX,
      );
      const display = Number(String(text));
      // The channel closes when this process ends, in whatever way, and the window then ends, too.
      const args = ['--import', 'tsx', '--import', END_WITH_CHANNEL, X_MARK, String(display)];
      const window = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
      started.push(window);
      await inTime(once(window.stdout as NodeJS.ReadableStream, 'data'), 'showing the window', START_MS_MAX);
      return new TigerVnc(server, window, display);
    } catch (error) {
      for (const each of started) each.kill('SIGKILL');
      throw error;
    }
  }

  /** Ends the server and the window. */
  async close(): Promise<void> {
    const ended = [this.#window, this.#server].map(end);
    await Promise.all(ended);
  }
}

const END_WITH_CHANNEL = `data:text/javascript,process.on('disconnect',()=>process.exit())`;
const CLOSE_MS_MAX = 3_000;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS_MAX);
  await exited;
  clearTimeout(timer);
}
