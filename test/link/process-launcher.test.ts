import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ProcessLauncher } from '../../server/link/process-launcher.ts';
import { FakeClock } from '../support/fake-clock.ts';

/** The real launcher, with time and the room for processes in the test's hands. */
function open(t: { teardown(task: () => void): void }, room = { full: false, program: process.execPath }) {
  const clock = new FakeClock();
  const launched: ChildProcess[] = [];
  const losses: string[] = [];
  const launcher = new ProcessLauncher({
    launch: () => {
      if (room.full) throw new Error('spawn ENOMEM');
      const child = spawn(room.program, ['server/packages/launcher.mjs'], {
        env: {},
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      launched.push(child);
      return child;
    },
    kill: (child) => child.kill('SIGKILL'),
    clock,
    onLost: (reason) => losses.push(reason),
  });
  t.teardown(() => launcher.close());
  const run = (script: string) => launcher.start({ program: process.execPath, args: ['-e', script], environment: {} });
  return { launcher, clock, launched, losses, run };
}

const FOREVER = 'setInterval(() => undefined, 1000);';
const pause = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);

t.test('a launcher that does not carry out a kill is killed itself, and the next start has another one', async (t) => {
  const { clock, launched, losses, run } = open(t);
  const stuck = run(FOREVER);
  launched[0]?.kill('SIGSTOP');
  stuck.kill();
  await clock.advance(9_999);
  t.same(losses, []);
  await clock.advance(2);
  t.same(await stuck.ended, { reason: 'its launcher ended: ended by SIGKILL', lost: true });
  t.same(losses, ['ended by SIGKILL']);
  const next = run(FOREVER);
  t.equal(launched.length, 2);
  next.kill();
  t.same(await next.ended, { reason: 'ended by SIGKILL' });
});

t.test('a launcher that does not end when it is told to is killed', async (t) => {
  const { launcher, clock, launched } = open(t);
  launched[0]?.kill('SIGSTOP');
  const closed = launcher.close();
  await clock.advance(10_001);
  await closed;
  t.equal(launched[0]?.signalCode, 'SIGKILL');
});

t.test('a supervisor that signals every process of the service does not end it', async (t) => {
  const { launched, losses, run } = open(t);
  // It answers an order only after it listens for signals.
  await run('').ended;
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) launched[0]?.kill(signal);
  t.same(await run('process.exit(3)').ended, { reason: 'exit code 3' });
  t.same(losses, []);
});

t.test('where no launcher can be started, the log hears it, the start fails, and later ones succeed', async (t) => {
  const room = { full: true, program: process.execPath };
  const { losses, run } = open(t, room);
  t.same(losses, ['Error: spawn ENOMEM']);
  t.throws(() => run(FOREVER), { message: 'spawn ENOMEM' });
  room.full = false;
  t.same(await run('').ended, { reason: 'exit code 0' });
});

t.test('a launcher whose start fails late loses its processes, and is not used again', async (t) => {
  const room = { full: false, program: '/no/such/program' };
  const { losses, run } = open(t, room);
  const early = run('');
  const next = early.ended.then(() => {
    room.program = process.execPath;
    return run('').ended;
  });
  t.match(await early.ended, { reason: /ENOENT/, lost: true });
  t.same(await next, { reason: 'exit code 0' });
  t.match(losses, [/ENOENT/]);
});

t.test('a process that says much waits while the service does not listen, and all of it is heard', async (t) => {
  const { run } = open(t);
  const file = join(t.testdir(), 'said');
  const pieces = 64;
  const child = run(`
    const { writeFileSync } = require('node:fs');
    const channel = new (require('node:net').Socket)({ fd: 3 });
    let said = 0;
    const say = () => {
      writeFileSync(${JSON.stringify(file)}, String(said));
      if (said++ < ${pieces}) channel.write(Buffer.alloc(2 ** 20, 'x'), say);
      else channel.end();
    };
    say();`);
  let characters = 0;
  child.onText((text) => {
    characters += text.length;
  });
  const said = () => (existsSync(file) ? Number(readFileSync(file, 'utf8') || -1) : -1);
  // The event loop stands still here, as that of a busy service: until the process has begun, and then has said no more for long.
  const begin = performance.now();
  let last = -1;
  for (let still = 0; still < 20 && performance.now() - begin < 20_000; pause()) {
    const now = said();
    still = now === last && now >= 0 ? still + 1 : 0;
    last = now;
  }
  t.ok(last >= 0 && last < pieces, `${last} MiB of ${pieces} were taken`);
  t.same(await child.ended, { reason: 'exit code 0' });
  t.equal(characters, pieces * 2 ** 20);
});
