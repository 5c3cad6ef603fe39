import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { GuestPhone } from './guest-phone.ts';

/** Kilobits a second up and down, by the console's own names (`help network speed`). */
const SPEEDS: Readonly<Record<string, readonly [up: number, down: number]>> = {
  gsm: [14.4, 14.4],
  hscsd: [14.4, 57.6],
  gprs: [28.8, 57.6],
  edge: [473.6, 473.6],
  umts: [384, 384],
  hsdpa: [5_760, 13_980],
  lte: [58_000, 173_000],
  evdo: [75_000, 280_000],
  full: [0, 0],
};
const DELAYS: Readonly<Record<string, readonly [min: number, max: number]>> = {
  gprs: [150, 550],
  edge: [80, 400],
  umts: [35, 200],
  none: [0, 0],
};
const HELP = "Android Console: type 'help' for a list of commands\r\nOK\r\n";

/** The token that all emulators of a user want, which the first of them has written. */
export function consoleToken(home: string): { readonly file: string; readonly token: string } {
  const file = join(home, '.emulator_console_auth_token');
  if (!existsSync(file)) writeFileSync(file, randomBytes(12).toString('base64'), { mode: 0o600 });
  return { file, token: readFileSync(file, 'utf8') };
}

/** A stand-in of an emulator's console: the network's part of it, and that of snapshots. */
export class EmulatorConsole {
  readonly #guest: GuestPhone;
  readonly #sockets = new Set<Socket>();
  /** Commands that it has taken, without their tokens. */
  readonly commands: string[] = [];
  /** Kilobits a second. */
  speed: readonly [up: number, down: number] = [0, 0];
  delayMs: readonly [min: number, max: number] = [0, 0];
  /** Answers `avd snapshot` and what follows; absent where there is no folder for them. */
  snapshots: ((words: readonly string[]) => Promise<string>) | undefined;
  /** Connections are taken, and nothing is said. */
  silent = false;
  #server: Server | undefined;
  #home = '';

  constructor(guest: GuestPhone) {
    this.#guest = guest;
  }

  /** Listens on the first of these ports that is free; resolves with it. A console has an even one, as adb wants it. */
  async listen(home: string, port: number): Promise<number> {
    this.#home = home;
    mkdirSync(home, { recursive: true });
    consoleToken(home);
    const server = createServer((socket) => this.#serve(socket));
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) return this.listen(home, port + 2);
    this.#server = server.unref();
    return port;
  }

  close(): void {
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if (this.silent) return;
    const { file, token } = consoleToken(this.#home);
    let isIn = token === '';
    socket.write(
      isIn
        ? HELP
        : "Android Console: Authentication required\r\nAndroid Console: type 'auth <auth_token>' to authenticate\r\n" +
            `Android Console: you can find your <auth_token> in \r\n'${file}'\r\nOK\r\n`,
    );
    let rest = '';
    let answered = Promise.resolve();
    socket.on('data', (data) => {
      const lines = (rest + data.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines.map((one) => one.replace(/\r$/, ''))) {
        const [verb, ...words] = line.split(' ');
        if (verb === 'quit' || verb === 'exit') return void socket.end();
        if (verb === 'auth') {
          if (words[0] !== token) {
            return void socket.end('KO: authentication token does not match ~/.emulator_console_auth_token\r\n');
          }
          isIn = true;
          socket.write(HELP);
        } else {
          const isAllowed = isIn;
          answered = answered.then(async () => {
            socket.write(isAllowed ? await this.#answer(line) : "KO: unknown command, try 'help'\r\n");
          });
        }
      }
    });
  }

  async #answer(line: string): Promise<string> {
    this.commands.push(line);
    const [verb, part, word, ...rest] = line.split(' ');
    if (verb === 'avd' && part === 'snapshot' && word && this.snapshots) return this.snapshots([word, ...rest]);
    if (verb !== 'network') return "KO: unknown command, try 'help'\r\n";
    if (part === 'status') return `${this.#status()}OK\r\n`;
    if (part !== 'speed' && part !== 'delay') return 'KO: bad sub-command\r\n';
    if (word === undefined) {
      return `KO: missing <${part}> argument, see 'help network ${part}'\r\n`;
    }
    const pair = (part === 'speed' ? SPEEDS : DELAYS)[word] ?? pairOf(word);
    if (!pair) return `KO: invalid <${part}> argument, see 'help network ${part}' for valid values\r\n`;
    if (part === 'speed') this.speed = pair;
    else this.delayMs = pair;
    const [[up, down], [, delay]] = [this.speed, this.delayMs];
    this.#guest.phone.settings.limitNetwork({ downlinkKbps: down, uplinkKbps: up, networkDelayMs: delay });
    return 'OK\r\n';
  }

  #status(): string {
    const speed = (kbps: number) =>
      `${String(Math.round(kbps * 1_000)).padStart(8)} bits/s (${((kbps * 1_000) / 8_192).toFixed(1)} KB/s)\r\n`;
    const [[up, down], [min, max]] = [this.speed, this.delayMs];
    return (
      `Current network status:\r\n  download speed:   ${speed(down)}  upload speed:     ${speed(up)}` +
      `  minimum latency:  ${min} ms\r\n  maximum latency:  ${max} ms\r\n`
    );
  }
}

/** `<num>` for both, or `<num>:<num>`. */
function pairOf(word: string): readonly [number, number] | undefined {
  const [, one, , other = one] = /^(\d+(?:\.\d+)?)(:(\d+(?:\.\d+)?))?$/.exec(word) ?? [];
  return one === undefined ? undefined : [Number(one), Number(other)];
}
