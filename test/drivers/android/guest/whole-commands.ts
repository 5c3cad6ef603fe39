import { AdbBackend } from '../../../../server/drivers/android/adb/adb-backend.ts';
import { describeAttached } from '../../../../server/drivers/android/attached/attached-devices.ts';
import { Guest } from '../../../../server/drivers/android/guest/guest.ts';
import { setGuestPermission } from '../../../../server/drivers/android/guest/guest-permissions.ts';
import { isPackageName } from '../../../../server/drivers/android/guest/texts.ts';
import { PlainShell } from '../../../support/android/plain-shell.ts';
import { randomArguments } from './quoted-arguments.ts';

const { signal } = new AbortController();
const STARTED = 'Starting: Intent { act=x }\nStatus: ok\nActivity: com.a/.Main\nComplete\n';
const ASKS = 'requested permissions:\n  android.permission.CAMERA\nUser 0: installed=true\n';
const KEPT_MAX = 1_000;

/** A picture of one pixel, as `screencap` gives it. */
const PICTURE = Buffer.from([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

/**
 * Opens random strings as URLs, types random texts and lets the device name random packages, all by the driver's own
 * commands through a real shell; tells each word that did not arrive as it was, or should not have.
 */
export async function strayWords(count: number, random: () => number): Promise<readonly string[]> {
  let front = '';
  const shell = new PlainShell(([name, verb]) => {
    if (name === 'am') return STARTED;
    if (name === 'dumpsys' && verb === 'package') return ASKS;
    if (name === 'dumpsys') return `  mFocusedApp=ActivityRecord{1 u0 ${front}/.Main t1}\n`;
    return verb === 'package' ? '1 activities found:\n  com.a/.Main\n' : '';
  });
  const guest = new Guest(shell.asGuestShell);
  const backend = await AdbBackend.open(
    Object.assign(shell, { bytes: async () => PICTURE }).asGuestShell,
    describeAttached('stand-in'),
    { changed: () => undefined, lost: () => undefined },
  );
  shell.got.length = 0;
  const stray: string[] = [];
  const check = (fits: boolean, what: string) => {
    if (!fits && stray.length < KEPT_MAX) stray.push(what);
    shell.got.length = 0;
  };
  const dataOf = (words: readonly string[] | undefined) => words?.[words.indexOf('-d') + 1];
  try {
    for (const text of randomArguments(count, random)) {
      const url = `demo:${text}`;
      await guest.openUrl(url, signal);
      check(shell.got.length === 2 && shell.got.every((words) => dataOf(words) === url && words.at(-1) === url), url);

      await guest.launch('com.a', { arguments: { note: text, other: url }, url }, signal);
      await guest.launch('com.a', { arguments: { note: text } }, signal);
      const launches = shell.got.filter(([name]) => name === 'am');
      const extras = (words: readonly string[] | undefined) => words?.slice(words.indexOf('--es')).join('\0');
      check(
        launches.length === 2 &&
          dataOf(launches[0]) === url &&
          extras(launches[0]) === ['--es', 'note', text, '--es', 'other', url].join('\0') &&
          extras(launches[1]) === ['--es', 'note', text].join('\0'),
        `launched with ${text}`,
      );

      const visible = text.replace(/[^ -~]/g, '');
      await backend.type(visible, signal);
      const typed = shell.got.map(([, verb, piece = '', ...rest]) => {
        return verb === 'text' && rest.length === 0 ? piece.replaceAll('%s', ' ') : '\0';
      });
      check(typed.join('') === visible, visible);

      // A device that names its app in front like this is hostile, or broken.
      front = random() < 0.5 ? text : `com.a${text}`;
      const told = await guest.reload(signal).catch(() => undefined);
      const foreign = shell.got.flatMap(([name, ...words]) => (name === 'dumpsys' ? [] : words)).filter(isForeign);
      check(foreign.length === 0 && (told === undefined || isPackageName(told)), front);
      await setGuestPermission(shell.asGuestShell, text, 'camera', 'grant', signal);
      const asked = ['dumpsys', 'package', text];
      const permitted = [asked, ['pm', 'grant', text, 'android.permission.CAMERA'], asked];
      check(JSON.stringify(shell.got) === JSON.stringify(permitted), `permitted ${text}`);
      await guest.uninstall(text);
      await guest.clear(text);
      check(shell.got.length === 0 || isPackageName(text), text);
    }
  } finally {
    backend.close();
    shell.close();
  }
  return stray;
}

/** Whether a word of `am` or `cmd` holds anything but names, flags and numbers. */
const isForeign = (word: string): boolean => !/^[\w./:-]+$/.test(word);
