import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { journalOf } from './emulator-host.ts';
import { StandInEmulator } from './stand-in-emulator.ts';

/** A stand-in of the `emulator` program: the emulator of one AVD, in this process, until it is told to end. */

const args = process.argv.slice(2);
const after = (option: string) => args[args.indexOf(option) + 1] ?? '';
const folder = process.env.XDG_RUNTIME_DIR ?? '';
const avd = after('-avd');
/** Its guest is not there as soon as it is itself. */
const BOOT_MS = 400;
const LOOK_INTERVAL_MS = 50;
/** Longer than a key is held. */
const QUIET_MS = 300;

if (avd.startsWith('Broken')) {
  process.stderr.write('PANIC: Missing emulator engine program\n');
  process.exit(1);
}
if (!args.includes('-grpc-use-token') || !args.includes('-no-window')) throw new Error(args.join(' '));

const token = Buffer.from(`token of ${process.pid}`).toString('base64');
const content = join(process.env.ANDROID_AVD_HOME ?? folder, `${avd}.avd`);
const emulator = new StandInEmulator(avd, { own: true, token, content, grpcPort: Number(after('-grpc')) });
emulator.system.booted = false;
setTimeout(() => {
  emulator.system.booted = true;
}, BOOT_MS);
await emulator.start(folder);

/** Inputs are written to the journal only after a pause in which none arrives, since a write would delay the timed ones. */
const { reports, keys, texts, violations } = emulator.guest;
const arrived = { reports, keys, texts, violations };
const written = { reports: 0, keys: 0, texts: 0, violations: 0 };
let last = { count: 0, atMs: 0 };
setInterval(() => {
  const count = Object.values(arrived).reduce((sum, { length }) => sum + length, 0);
  if (count !== last.count) last = { count, atMs: performance.now() };
  if (performance.now() - last.atMs < QUIET_MS) return;
  const news = Object.entries(arrived).flatMap(([kind, all]) => {
    const fresh = all.slice(written[kind as keyof typeof written]);
    written[kind as keyof typeof written] = all.length;
    return fresh.map((what) => `${JSON.stringify({ kind, what })}\n`);
  });
  if (news.length > 0) appendFileSync(journalOf(folder, avd), news.join(''));
}, LOOK_INTERVAL_MS);

process.on('SIGTERM', () => {
  emulator.stop();
  process.exit(0);
});
appendFileSync(join(folder, 'starts.log'), `${avd} ${process.pid}\n`);
