import { DeviceFault } from '../../../device/fault.ts';
import type { UiScreen } from '../../../device/ui.ts';
import { plainLine } from '../../process/plain-line.ts';
import type { GuestShell } from '../adb/guest-shell.ts';
import { type DisplaySize, orientationOf, type QuarterTurns } from './orientation.ts';
import { readUiDump } from './ui-dump.ts';

const FILE = '/data/local/tmp/runcloud-ui.xml';
/** The tool waits 10 s for an app that does not stand still, and needs a second or two to start. */
const DUMP_MS_MAX = 14_000;
const REMOVE_MS_MAX = 2_000;
/** An element takes some 400 bytes. Reading more holds the thread too long. */
const DUMP_BYTES_MAX = 2_097_152;

/** The display that is dumped. */
export interface DumpedDisplay extends DisplaySize {
  readonly name?: string | undefined;
  readonly turns: QuarterTurns;
}

/**
 * Reads what is on the device's screen, by its own `uiautomator`: the active window, without bars of the system, keyboards and what
 * is out of sight. Takes some seconds. Rejects with `DeviceFault`s.
 */
export async function readGuestUi(shell: GuestShell, display: DumpedDisplay, signal: AbortSignal): Promise<UiScreen> {
  const named = display.name === undefined ? {} : { display: display.name };
  const power = await shell.must(['dumpsys', 'power'], { signal });
  if (/mWakefulness=(Asleep|Dozing)/.test(power)) {
    return { screen: 'off', orientation: orientationOf(display.turns), ...named, nodes: [] };
  }
  const xml = await dump(shell, signal);
  const { turns, package: app, nodes } = readUiDump(xml, display);
  const facts = { orientation: orientationOf(turns), ...named, nodes, missing: ['offScreen', 'system'] };
  return { screen: 'on', ...(app === undefined ? {} : { app }), ...facts };
}

async function dump(shell: GuestShell, signal: AbortSignal): Promise<string> {
  try {
    const { output } = await shell.run(['uiautomator', 'dump', FILE], { signal, timeoutMs: DUMP_MS_MAX });
    if (!/dumped to: /.test(output)) throw refused(output);
    return (await shell.bytes(['cat', FILE], { signal, outputBytesMax: DUMP_BYTES_MAX })).toString();
  } finally {
    // Also after a call that was ended; a device that does not answer keeps the file until its next dump.
    await shell.run(['rm', '-f', FILE], { timeoutMs: REMOVE_MS_MAX }).catch(() => undefined);
  }
}

function refused(output: string): DeviceFault {
  if (/could not get idle state/.test(output)) {
    return new DeviceFault(
      'failed',
      'The app in front does not stand still, and the device tells only of one that does.',
    );
  }
  return new DeviceFault('failed', `The device does not tell what is on its screen: ${plainLine(output)}`);
}
