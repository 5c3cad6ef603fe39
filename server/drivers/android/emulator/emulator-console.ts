import { createConnection } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { DeviceFault } from '../../../device/fault.ts';
import type { ToolEnvironment } from '../../../device/target.ts';
import { readOwnFile } from '../../process/own-file.ts';
import { plainLine } from '../../process/plain-line.ts';

const LOOPBACK = '127.0.0.1';
const ANSWER_MS_MAX = 5_000;
const ANSWER_CHARACTERS_MAX = 65_536;
const TOKEN_BYTES_MAX = 1_024;
/** The line that ends each answer, and the greeting. */
const ENDING = /^(?:OK|KO(?::.*)?)$/;

export interface ConsoleAddress {
  readonly port: number;
  /** Secret; absent where this user has none. */
  readonly token: string | undefined;
}

/** The console of an emulator on this host, with the token that emulators write for their user. */
export function consoleOf(port: number, { HOME = homedir() }: ToolEnvironment): ConsoleAddress {
  const token = readOwnFile(join(HOME, '.emulator_console_auth_token'), TOKEN_BYTES_MAX)?.text.trim();
  // What is no word would be more than one command.
  return { port, token: /^[\w+/=.-]+$/.test(token ?? '') ? token : undefined };
}

/**
 * Gives commands to the console, one after another, on a connection of their own; resolves with the lines that each was answered. Source:
 * "Send emulator console commands" of developer.android.com. Rejects with a `DeviceFault`: `failed` for a command that is refused,
 * `unsupported` where the console does not let this user in, `unreachable` where it says nothing in time.
 * @param commands lines of the console's own words, never of anybody else's
 * @param options `answerMsMax` is for all of them
 */
export function askConsole(
  { port, token }: ConsoleAddress,
  commands: readonly string[],
  {
    signal,
    answerMsMax = ANSWER_MS_MAX,
  }: { readonly signal?: AbortSignal | undefined; readonly answerMsMax?: number } = {},
): Promise<readonly (readonly string[])[]> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: LOOPBACK, port });
    const answers: (readonly string[])[] = [];
    const waiting = [...commands];
    /** What was said last: nothing before the greeting. */
    let asked: 'nothing' | 'auth' | 'command' = 'nothing';
    let lines: string[] = [];
    let rest = '';
    let length = 0;
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      socket.destroy();
    };
    const fail = (fault: DeviceFault) => {
      end();
      reject(fault);
    };
    const unreachable = (why: string) =>
      fail(new DeviceFault('unreachable', `The emulator's console does not answer: ${why}.`));
    const abort = () => fail(new DeviceFault('aborted', 'The command to the console of the emulator was ended.'));
    const timer = setTimeout(() => unreachable('it took too long'), answerMsMax);
    const say = (what: typeof asked, line: string) => {
      asked = what;
      socket.write(`${line}\r\n`);
    };
    const next = () => {
      const command = waiting.shift();
      if (command !== undefined) return say('command', command);
      end();
      resolve(answers);
    };
    const answered = (ending: string) => {
      const said = lines;
      lines = [];
      if (ending !== 'OK') {
        const why = plainLine(ending.slice(3));
        if (asked === 'command') return fail(new DeviceFault('failed', `The emulator's console refused: ${why}`));
        return fail(new DeviceFault('unsupported', `The emulator's console does not let this user in: ${why}`));
      }
      if (asked === 'nothing' && said.some((line) => line.includes('Authentication required'))) {
        if (token !== undefined) return say('auth', `auth ${token}`);
        return fail(new DeviceFault('unsupported', "The emulator's console wants a token, and this user has none."));
      }
      if (asked === 'command') answers.push(said);
      next();
    };
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) return abort();
    socket.on('data', (data) => {
      length += data.length;
      if (length > ANSWER_CHARACTERS_MAX) return unreachable('it said too much');
      const parts = (rest + data.toString('latin1')).split(/\r?\n/);
      rest = parts.pop() ?? '';
      for (const line of parts) {
        if (socket.destroyed) return;
        if (ENDING.test(line)) answered(line);
        else lines.push(line);
      }
    });
    socket.once('error', (error) => unreachable(plainLine(error.message)));
    socket.once('close', () => unreachable('it hung up'));
  });
}
