import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface CommandAnswer {
  readonly code?: number;
  readonly out?: string | Buffer;
  /** Said on the other output, first. */
  readonly err?: string;
  /** It is said while the command runs, which ends when this settles. */
  readonly running?: (say: (out: string) => void) => Promise<void>;
  /** It is said again and again, until nobody listens. */
  readonly endless?: boolean;
}

/** @param gone fires when the command was ended, or has */
export type Answerer = (
  words: readonly string[],
  stdin: Uint8Array,
  gone: AbortSignal,
) => CommandAnswer | Promise<CommandAnswer>;

const NAMES = [
  'am',
  'cat',
  'cmd',
  'content',
  'cp',
  'dd',
  'date',
  'dumpsys',
  'find',
  'getevent',
  'getprop',
  'input',
  'logcat',
  'ls',
  'mkdir',
  'mv',
  'pm',
  'ps',
  'rm',
  'rmdir',
  'run-as',
  'screencap',
  'settings',
  'stat',
  'uiautomator',
  'wm',
];
/** Java programs, which are told by a variable where they are. */
const JAVA = 'app_process';

/** Hands its words over as they reached it, each ended by a NUL, and does what it is told. */
const script = (port: number, name: string) => `#!/bin/bash
size=0
if [ "\${0##*/} $1 $2" = 'cmd package install' ]; then
  size="\${BASH_SOURCE[0]}.$$.stdin"
  /usr/bin/head -c "\${!#}" > "$size"
elif [ "\${0##*/} $2" = 'run-as dd' ]; then
  size="\${BASH_SOURCE[0]}.$$.stdin"
  /bin/cat > "$size"
fi
exec 3<>/dev/tcp/127.0.0.1/${port}
${name === JAVA ? 'set -- "CLASSPATH=$CLASSPATH" "$@"' : ''}
printf '%s\\0' "$(($# + 1))" "$size" "\${0##*/}" "$@" >&3
read -r -u 3 code errors
if [ "\${errors:-0}" -gt 0 ]; then /usr/bin/head -c "$errors" <&3 >&2; fi
/bin/cat <&3
exit "$code"
`;

/** Commands of an Android device as programs in a folder, all of which ask one function of the test. */
export class GuestCommands {
  /** The PATH for a shell. */
  readonly path = mkdtempSync(join(tmpdir(), 'runcloud-guest-'));
  readonly #server: Server;
  port = 0;

  constructor(answer: Answerer) {
    this.#server = createServer((socket) => {
      let text = '';
      let answered = false;
      const gone = new AbortController();
      socket.on('close', () => gone.abort());
      socket.setNoDelay();
      socket.setEncoding('utf8');
      socket.on('error', () => undefined);
      socket.on('data', async (piece) => {
        text += String(piece);
        const [count, size, ...words] = text.split('\0');
        if (answered || count === undefined || words.length <= Number(count)) return;
        answered = true;
        const {
          code = 0,
          out = '',
          err = '',
          endless,
          running,
        } = await answer(words.slice(0, Number(count)), read(size), gone.signal);
        if (running) {
          socket.write(`${code}\n`);
          await running((line) => void socket.write(line));
          return void socket.end();
        }
        if (endless) return sayForEver(socket, `${code}\n`, Buffer.from(out as string));
        const head = Buffer.from(`${code} ${Buffer.byteLength(err)}\n${err}`);
        if (!socket.destroyed) socket.end(Buffer.concat([head, Buffer.from(out as string)]));
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', () => resolve()));
    const address = this.#server.address();
    this.port = typeof address === 'object' && address ? address.port : 0;
    for (const name of [...NAMES, JAVA]) {
      const file = join(this.path, name);
      writeFileSync(file, script(this.port, name));
      chmodSync(file, 0o755);
    }
  }

  close(): void {
    this.#server.close();
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** What a command was given, which it has left in a file. */
function read(file = '0'): Uint8Array {
  if (file === '0') return new Uint8Array();
  const bytes = readFileSync(file);
  rmSync(file);
  return bytes;
}

function sayForEver(socket: Socket, head: string, out: Buffer): void {
  const say = () => {
    while (!socket.destroyed && socket.write(out)) {}
  };
  socket.on('drain', say);
  socket.write(head);
  say();
}
