import type { DeviceLogs } from '../../../device/logs.ts';
import { type Clock, systemClock } from '../../../flow/clock.ts';
import { followAgain } from '../../follow-again.ts';
import { plainLine } from '../../process/plain-line.ts';
import type { GuestShell } from '../adb/guest-shell.ts';
import { CrashBlocks } from './crash-blocks.ts';
import { LogcatCursor, readDeviceTime, readLogcatLine } from './logcat.ts';

/** A device writes at most 4,068 bytes at once, to which the head and the tag of each line come (AOSP, `log/log.h`). */
const LINE_CHARACTERS_MAX = 8_192;

const GAP = 'Lines are missing here: the device has let go of them before they were read.';

/** How the first line of a buffer begins. */
const BUFFER = '--------- ';

/** The log of a device from now on, until the signal fires. `undefined` for a device whose clock cannot be read. */
export async function guestLogs(
  shell: GuestShell,
  ended: AbortSignal,
  clock: Clock = systemClock,
): Promise<DeviceLogs | undefined> {
  const nowUs = async () => readDeviceTime((await shell.run(['date', '+%s.%N'])).output);
  const beginUs = await nowUs();
  if (beginUs === undefined) return undefined;
  return {
    follow(take) {
      const tell = (text: string) => take({ wallMs: clock.wallMs(), level: 'warning', process: 'logcat', text });
      const cursor = new LogcatCursor(beginUs, () => tell(GAP));
      let said = '';
      const run = async () => {
        let complaint = '';
        try {
          const words = cursor.begin(await nowUs());
          await eachLine(shell, words, ended, (raw) => {
            const line = cursor.read(raw);
            if (line) take(line);
            complaint = line || readLogcatLine(raw) || raw.startsWith(BUFFER) ? '' : raw;
          });
        } catch (error) {
          complaint = error instanceof Error ? error.message : String(error);
        }
        // What a device complains of again and again is told once; without it a reader would wait for lines that never come.
        if (ended.aborted || complaint === said || complaint === '') return;
        said = complaint;
        tell(`logcat ended: ${plainLine(complaint)}`);
      };
      void followAgain(clock, ended, run);
    },
    onCrash(take) {
      const cursor = new LogcatCursor(beginUs);
      const blocks = new CrashBlocks(clock, take);
      ended.addEventListener('abort', () => blocks.close(), { once: true });
      const read = (raw: string) => {
        const line = cursor.read(raw);
        if (line) blocks.read(line);
      };
      // What the device complains of is told where its log is read.
      const run = async () => eachLine(shell, cursor.begin(await nowUs(), 'crash'), ended, read);
      void followAgain(clock, ended, () => run().catch(() => undefined));
    },
  };
}

/** Settles when the command has ended. Rejects when the device cannot be reached. */
async function eachLine(
  shell: GuestShell,
  words: readonly string[],
  ended: AbortSignal,
  take: (line: string) => void,
): Promise<void> {
  let rest = '';
  for await (const piece of shell.stream(words, ended)) {
    const lines = (rest + piece).split('\n');
    rest = (lines.pop() ?? '').slice(0, LINE_CHARACTERS_MAX);
    for (const line of lines) take(line.endsWith('\r') ? line.slice(0, -1) : line);
  }
  if (rest !== '') take(rest);
}
