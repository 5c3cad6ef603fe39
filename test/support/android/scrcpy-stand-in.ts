import type { DeviceFiles } from './adb-files.ts';
import type { ServiceEnd, ServicePeer } from './adbd.ts';
import type { CommandAnswer } from './guest-commands.ts';
import type { GuestPhone } from './guest-phone.ts';
import { ScrcpyStandInInput } from './scrcpy-input.ts';
import { ScrcpyStandInVideo } from './scrcpy-video.ts';

/** A file that stands for scrcpy's server of a version. */
export const serverFile = (version: string): Buffer => Buffer.from(`PK\x03\x04 a stand-in of ${version}`, 'latin1');

/** Options of the versions that there are; others are an error. */
const OPTIONS = [
  'scid',
  'log_level',
  'audio',
  'video_codec',
  'video_bit_rate',
  'max_size',
  'max_fps',
  'tunnel_forward',
  'clipboard_autosync',
  'cleanup',
];

interface Run {
  readonly options: ReadonlyMap<string, string>;
  readonly form: 3 | 4;
  print(line: string): void;
  video?: ServicePeer;
  control?: ServicePeer;
  picture?: ScrcpyStandInVideo;
  input?: ScrcpyStandInInput;
  end(): void;
}

/** scrcpy's server on a device, byte by byte as its sources have it: a Java program that listens on a local socket. */
export class ScrcpyStandIn {
  /** Servers that were started, with their options. */
  readonly starts: ReadonlyMap<string, string>[] = [];
  /** Servers that run. */
  readonly running = new Set<Run>();
  /** Digests of every slice that its encoder has made, the newest last. */
  readonly scheduler = new Set<string>();
  /** Changes what the video socket says, to see what a faulty device does. */
  garble: (bytes: Buffer) => Buffer = (bytes) => bytes;
  /** Takes calls and gives no picture. */
  silent = false;
  /** Reads nothing of what it is told. */
  hangs = false;
  readonly #guest: GuestPhone;
  readonly #files: DeviceFiles;

  constructor(guest: GuestPhone, files: DeviceFiles) {
    this.#guest = guest;
    this.#files = files;
  }

  /** The input of the newest server. */
  get input(): ScrcpyStandInInput | undefined {
    return [...this.running].at(-1)?.input;
  }

  /** The program, until it ends. */
  run([classPath = '', , className, version, ...args]: readonly string[], gone: AbortSignal): Promise<CommandAnswer> {
    const path = classPath.replace('CLASSPATH=', '');
    const file = this.#files.get(path);
    const own = /stand-in of (\S+)$/.exec(file?.toString('latin1') ?? '')?.[1];
    const fails = (out: string) => Promise.resolve({ code: 1, out });
    if (own === undefined || className !== 'com.genymobile.scrcpy.Server') {
      return fails(`Error: could not find or load main class ${className}\n`);
    }
    if (own !== version) {
      const exception = 'java.lang.IllegalArgumentException';
      return fails(
        `[server] ERROR: Exception on thread main\n${exception}: The server version (${own}) does not match the client (${version})\n`,
      );
    }
    const options = new Map(args.map((arg) => [arg.split('=')[0] ?? '', arg.split('=')[1] ?? '']));
    const unknown = [...options.keys()].find((name) => !OPTIONS.includes(name));
    if (unknown !== undefined) this.#guest.violations.push(`option ${unknown}`);
    if (options.get('cleanup') === 'true') this.#files.delete(path);
    this.starts.push(options);
    return Promise.resolve({ running: (say) => this.#runs(options, own, say, gone) });
  }

  #runs(options: Run['options'], own: string, print: (line: string) => void, gone: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      print('[server] INFO: Device: [Stand-in] (Android 14)\n');
      const run: Run = {
        print,
        options,
        form: own.startsWith('3.') ? 3 : 4,
        end: () => {
          if (!this.running.delete(run)) return;
          run.picture?.close();
          run.input?.close();
          run.video?.end();
          run.control?.end();
          resolve();
        },
      };
      this.running.add(run);
      gone.addEventListener('abort', () => run.end());
    });
  }

  /** A local socket of this name, where a server listens on it: for its video first, and then for its control. */
  service(name: string): ((peer: ServicePeer) => ServiceEnd) | undefined {
    const id = /^localabstract:scrcpy_([0-9a-f]{8})$/.exec(name)?.[1];
    const run = [...this.running].find(({ options }) => options.get('scid') === id);
    if (!run || run.control) return undefined;
    return (peer) => {
      if (!run.video) {
        run.video = peer;
        peer.say(Buffer.of(0));
        return { heard: () => this.#guest.violations.push('the video socket was written to'), closed: () => run.end() };
      }
      run.control = peer;
      this.#begin(run);
      return {
        heard: (data) => {
          if (!this.hangs) run.input?.heard(data);
        },
        closed: () => run.end(),
      };
    };
  }

  /** The server hangs up one of its sockets, and lives on. */
  hangUp(socket: 'video' | 'control'): void {
    for (const run of this.running) run[socket]?.end();
  }

  close(): void {
    for (const run of this.running) run.end();
  }

  #begin(run: Run): void {
    const say = (bytes: Buffer) => {
      if (!this.silent) run.video?.say(this.garble(bytes));
    };
    const shade = () => run.input?.shade ?? 0;
    run.picture = new ScrcpyStandInVideo(this.#guest, run.form, this.scheduler, shade, say);
    const { picture } = run;
    run.input = new ScrcpyStandInInput(
      this.#guest,
      () => picture.size,
      () => picture.reset(),
      run.print,
      (bytes) => run.control?.say(bytes),
    );
  }
}
