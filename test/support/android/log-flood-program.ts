import { setTimeout as sleep } from 'node:timers/promises';
import { attachedHost } from './attached-host.ts';

/**
 * An adb server with a device whose log grows. Prints the settings of a service that offers the device; at SIGUSR2 writes lines
 * "line 1", "line 2" and so on for as many seconds as its argument says, then prints how many they were. Ends at SIGTERM, or by itself.
 */

const PER_SECOND = 10_000;
const PERIOD_MS = 10;
const LIFE_MS = 300_000;

const seconds = Number(process.argv[2]);
const host = await attachedHost(1);
const [attached] = host.devices;
if (!attached) throw new Error('no device');
const { logd } = attached.device.system;

async function write(): Promise<void> {
  const startMs = performance.now();
  const all = PER_SECOND * seconds;
  for (let written = 0; written < all; ) {
    const due = Math.min(all, Math.floor(((performance.now() - startMs) / 1_000) * PER_SECOND));
    while (written < due) logd.write({ text: `line ${++written}`, tag: 'flood' });
    await sleep(PERIOD_MS);
  }
  process.stdout.write(`${JSON.stringify({ written: all, tookMs: Math.round(performance.now() - startMs) })}\n`);
}

function stop(): void {
  host.stop();
  process.exit();
}

process.on('SIGUSR2', () => void write());
process.on('SIGTERM', stop);
setTimeout(stop, LIFE_MS);
process.stdout.write(`${JSON.stringify(host.environment)}\n`);
