import { chmodSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ServeSim } from '../../../../server/drivers/ios/serve-sim/serve-sim.ts';
import { runningChildren } from '../../../../server/drivers/process/children.ts';

const UDID = '01234567-89AB-CDEF-0123-456789ABCDEF';
const WS = JSON.stringify(createRequire(import.meta.url).resolve('ws'));
const GUARD = JSON.stringify(
  createRequire(import.meta.url).resolve('../../../../server/drivers/ios/serve-sim/guard.cjs'),
);
const tools = { PATH: '/usr/bin:/bin' };

const hasNetwork = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .some(({ internal, address }) => !internal && !address.startsWith('fe80:'));

/** A program that is started as serve-sim is: its port is the third of its arguments. */
function program(t: Test, shell: string): string {
  const path = join(t.testdir(), 'serve-sim');
  writeFileSync(path, `#!/bin/sh\n${shell}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** It listens where it wants, with the guard or without it. */
const listening = (host: string, more = '', guarded = true) =>
  `unset NODE_OPTIONS; exec '${process.execPath}' -e '
${guarded ? `require(${GUARD}).guard(require("node:http").Server.prototype, process.env.RUNCLOUD_HELPER_SECRET);` : ''}
const server = new (require(${WS}).WebSocketServer)({ host: "${host}", port: Number(process.argv[4]), path: "/ws" });
server.on("connection", (socket) => { ${more} });
' x "$@"`;

t.test(
  'a helper that others could reach is ended again',
  { skip: hasNetwork ? false : 'this machine is in no network' },
  async (t) => {
    await t.rejects(ServeSim.start(program(t, listening('0.0.0.0')), UDID, tools), {
      name: 'DeviceFault',
      kind: 'unavailable',
      message: /listens on .*without a password; it was ended/,
    });
    t.equal(runningChildren(), 0);
  },
);

t.test('a helper that would serve whoever asks is ended again', async (t) => {
  await t.rejects(ServeSim.start(program(t, listening('127.0.0.1', '', false)), UDID, tools), {
    name: 'DeviceFault',
    kind: 'unavailable',
    message: /does not know the secret; it was ended/,
  });
  t.equal(runningChildren(), 0);
});

t.test('a helper that ends instead of listening says why, in plain words', async (t) => {
  const path = program(t, "printf 'no \\033[31mXcode\\007 27\\n' >&2; exit 3");
  await t.rejects(ServeSim.start(path, UDID, tools), {
    kind: 'unavailable',
    message: /did not start: `serve-sim` ended with exit code 3; it said: no \[31mXcode 27\.$/,
  });
  t.equal(runningChildren(), 0);
});

t.test('a helper that talks without end, and in messages without end, is lost and ended', async (t) => {
  const talks = 'setInterval(() => process.stdout.write("x".repeat(100000)), 1); socket.send(Buffer.alloc(1000000));';
  const helper = await ServeSim.start(program(t, listening('127.0.0.1', talks)), UDID, tools);
  const reason = await new Promise<string>((resolve) => helper.onLost(resolve));
  t.ok(reason.length < 400, reason);
  t.throws(() => helper.key('down', 4), { name: 'DeviceFault', kind: 'unreachable' });
  await helper.close();
  t.equal(runningChildren(), 0);
});

t.test('a helper that does not read its inputs is lost before they pile up', async (t) => {
  const helper = await ServeSim.start(program(t, listening('127.0.0.1', 'socket.pause();')), UDID, tools);
  const lost = new Promise<string>((resolve) => helper.onLost(resolve));
  let sent = 0;
  t.throws(
    () => {
      for (; sent < 1_000_000; sent++) helper.touch('move', [{ x: 0.123456789, y: 0.987654321 }]);
    },
    { name: 'DeviceFault', kind: 'unreachable' },
  );
  t.ok(sent > 1_000, `${sent} were on their way`);
  t.match(await lost, /does not read its inputs/);
  await helper.close();
  t.equal(runningChildren(), 0);
});
