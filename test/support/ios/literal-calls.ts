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

type Kind = 'openurl' | 'launch' | 'pbcopy' | 'push' | 'argument' | 'container';

const BEFORE: Readonly<Record<Kind, readonly string[]>> = {
  openurl: ['simctl', 'openurl', UDID],
  launch: ['simctl', 'launch', '--terminate-running-process', UDID],
  pbcopy: ['simctl', 'pbcopy', UDID],
  push: ['simctl', 'push', UDID, 'com.a', '-'],
  argument: ['simctl', 'launch', '--terminate-running-process', UDID, 'com.a', '-note'],
  container: ['simctl', 'get_app_container', UDID],
};

const KINDS = Object.keys(BEFORE) as Kind[];

/**
 * Hands each text to `xcrun`: as a URL, as an app's identifier, as its argument, as a text to paste or as a payload, in turns.
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
  for (const [index, text] of texts.entries()) {
    const kind = KINDS[index % KINDS.length];
    if (kind === 'openurl') await simctl.openUrl(UDID, text, signal);
    else if (kind === 'launch') await simctl.relaunch(UDID, text);
    else if (kind === 'argument') await simctl.launch(UDID, 'com.a', ['-note', text], signal);
    else if (kind === 'push') await simctl.push(UDID, 'com.a', text, signal);
    else if (kind === 'pbcopy') await simctl.copy(UDID, text);
    // It says no path.
    else await simctl.dataContainer(UDID, text, signal).catch(() => undefined);
  }
  const words = readFileSync(file, 'utf8').split('\0');
  rmSync(folder, { recursive: true });
  let at = 0;
  const changed = texts.filter((text, index) => {
    const kind = KINDS[index % KINDS.length] as Kind;
    const expected = [...BEFORE[kind], text, ...(kind === 'container' ? ['data'] : [])];
    const got = words.slice(at, at + expected.length);
    at += expected.length;
    return expected.some((word, place) => word !== got[place]);
  });
  if (words.length !== at + 1) throw new Error(`${words.length} words came instead of ${at}`);
  return changed;
}
