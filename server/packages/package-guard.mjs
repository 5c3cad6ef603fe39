import { existsSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';

/**
 * The main thread of a process that reads packages. It starts the thread that does, stays free itself, and so ends the
 * process in time: when the gateway is gone, when a package costs too much, and when the thread has died of one. Plain
 * JavaScript, because a second compiler would cost a quarter of a second at each start.
 */

/** The stream to and from the gateway, one JSON text a line. */
const CHANNEL = 3;
/** How often the processor time is looked at. */
const LOOK_MS = 50;
/** Taps go before packages. */
const NICER = 5;
const GROUP_PRIORITY = '/proc/self/autogroup';
const [heapMb, cpuMsOfLife] = process.argv.slice(2).map(Number);

/** With the group: what the compiler has started goes along. */
const end = () => process.kill(0, 'SIGKILL');
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

try {
  setPriority(NICER);
  // Where Linux shares a processor among groups first, this one's group would have as much as all of the service.
  if (existsSync(GROUP_PRIORITY)) writeFileSync(GROUP_PRIORITY, String(NICER));
} catch {
  // A sandbox forbids it.
}
const channel = new Socket({ fd: CHANNEL });
channel.on('error', end);
channel.on('close', end);

/** The question that is being answered, and the processor time at which that has taken too long. */
let running;

const reader = new Worker(new URL('./package-boot.mjs', import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: heapMb },
});

createInterface({ input: channel }).on('line', (line) => {
  const question = JSON.parse(line);
  running = { call: question.call, cpuMsEnd: cpuMs() + question.cpuMsMax };
  reader.postMessage(question);
});

/** @param kind `refused` or `failed` */
function lastAnswer(kind, message) {
  if (!running) return end();
  const answer = JSON.stringify({ kind, call: running.call, message, last: true });
  running = undefined;
  channel.write(`${answer}\n`, end);
}

// An answer comes as the line that it is, and whether it is one.
reader.on('message', ({ line, call }) => {
  if (call !== undefined) running = undefined;
  if (call === undefined || cpuMs() < cpuMsOfLife) return void channel.write(`${line}\n`);
  // The system ends a process that has used its time, whatever it is doing: this one goes before, between two packages.
  channel.write(`${JSON.stringify({ ...JSON.parse(line), last: true })}\n`, end);
});
reader.on('error', (error) => {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return lastAnswer('failed', String(error));
  lastAnswer('refused', 'The package cannot be read in the memory there is for it.');
});
reader.on('exit', end);

setInterval(() => {
  if (running && cpuMs() > running.cpuMsEnd) lastAnswer('refused', 'The package takes too long to read.');
}, LOOK_MS);
