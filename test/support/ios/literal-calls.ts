import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Simctl } from '../../../server/drivers/ios/simctl.ts';

const UDID = '01234567-89AB-CDEF-0123-456789ABCDEF';
/** Programs that run at the same time, each with a file of its own. */
const LANES = 3;

/** A real program by a real `/bin/sh`, which notes its arguments and what it is told to copy or to deliver, byte by byte. */
const script = (file: string) => `#!/bin/sh
{ printf '%s\\0' "$@"; case "$2" in pbcopy|push) cat; printf '\\0';; esac; } >> '${file}'
exit 0
`;

interface Call {
  /** The words of the command, with the text in its place. */
  readonly words: (text: string) => readonly string[];
  readonly make: (simctl: Simctl, text: string, signal: AbortSignal) => Promise<unknown>;
}

const CALLS: readonly Call[] = [
  { words: (text) => ['openurl', UDID, text], make: (simctl, text, signal) => simctl.openUrl(UDID, text, signal) },
  {
    words: (text) => ['launch', '--terminate-running-process', UDID, text],
    make: (simctl, text) => simctl.relaunch(UDID, text),
  },
  { words: (text) => ['pbcopy', UDID, text], make: (simctl, text) => simctl.copy(UDID, text) },
  {
    words: (text) => ['push', UDID, 'com.a', '-', text],
    make: (simctl, text, signal) => simctl.push(UDID, 'com.a', text, signal),
  },
  {
    words: (text) => ['launch', '--terminate-running-process', UDID, 'com.a', '-note', text],
    make: (simctl, text, signal) => simctl.launch(UDID, 'com.a', ['-note', text], signal),
  },
  {
    words: (text) => ['get_app_container', UDID, text, 'data'],
    // It says no path.
    make: (simctl, text, signal) => simctl.dataContainer(UDID, text, signal).catch(() => undefined),
  },
  { words: (text) => ['terminate', UDID, text], make: (simctl, text, signal) => simctl.terminate(UDID, text, signal) },
  { words: (text) => ['uninstall', UDID, text], make: (simctl, text, signal) => simctl.uninstall(UDID, text, signal) },
  {
    words: (text) => ['privacy', UDID, 'grant', 'camera', text],
    make: (simctl, text, signal) => simctl.privacy(UDID, 'grant', 'camera', text, signal),
  },
  { words: (text) => ['addmedia', UDID, text], make: (simctl, text, signal) => simctl.addMedia(UDID, text, signal) },
];
const callAt = (index: number): Call => CALLS[index % CALLS.length] as Call;

/**
 * Hands each text to `xcrun`: as a URL, as an app's identifier, as its argument, as a text to paste, as a payload or as a path, in turns.
 * @returns the texts that did not arrive as they are, alone and in their place
 */
export async function textsThatChange(texts: readonly string[], folder: string): Promise<string[]> {
  const lanes = Array.from({ length: LANES }, (_, lane) => texts.filter((_, index) => index % LANES === lane));
  const changed = await Promise.all(lanes.map((lane, index) => runLane(lane, join(folder, `lane-${index}`))));
  return changed.flat();
}

async function runLane(texts: readonly string[], folder: string): Promise<string[]> {
  mkdirSync(folder);
  const file = join(folder, 'calls');
  const xcrun = join(folder, 'xcrun');
  writeFileSync(xcrun, script(file));
  chmodSync(xcrun, 0o755);
  const simctl = new Simctl(xcrun, { PATH: '/usr/bin:/bin' });
  const { signal } = new AbortController();
  for (const [index, text] of texts.entries()) await callAt(index).make(simctl, text, signal);
  const words = readFileSync(file, 'utf8').split('\0');
  rmSync(folder, { recursive: true });
  let at = 0;
  const changed = texts.filter((text, index) => {
    const expected = ['simctl', ...callAt(index).words(text)];
    const got = words.slice(at, at + expected.length);
    at += expected.length;
    return expected.some((word, place) => word !== got[place]);
  });
  if (words.length !== at + 1) throw new Error(`${words.length} words came instead of ${at}`);
  return changed;
}
