import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { systemClock } from '../../server/flow/clock.ts';
import { PackageReader, PackageRefused } from '../../server/link/package-reader.ts';
import { portToWorker } from '../../server/link/worker-port.ts';
import { iosPackage } from '../support/ios-package.ts';

/** The real thread, with as much memory as `heapMb` says. */
function open(t: { teardown(task: () => void): void }, heapMb = 256) {
  let threads = 0;
  const reader = new PackageReader(() => {
    threads++;
    const limits = { resourceLimits: { maxOldGenerationSizeMb: heapMb } };
    return portToWorker(new Worker(new URL('../../server/host/package-boot.mjs', import.meta.url), limits));
  }, systemClock);
  t.teardown(() => reader.close());
  return { reader, started: () => threads };
}

t.test('a package is described and its checksum taken, in a thread', async (t) => {
  const { reader } = open(t);
  const bytes = await iosPackage();
  const path = join(t.testdir(), 'app');
  writeFileSync(path, bytes);
  const { checksum, app } = await reader.read(path, bytes.length);
  t.equal(checksum, createHash('sha256').update(bytes).digest('hex'));
  t.match(app, { platform: 'ios', name: 'Demo' });
  t.ok(app.icon instanceof Uint8Array);
});

t.test('an unsound one is refused, and the thread goes on; a file that is not there is a fault of ours', async (t) => {
  const { reader, started } = open(t);
  const bytes = await iosPackage();
  const folder = t.testdir();
  writeFileSync(join(folder, 'bad'), 'no archive');
  writeFileSync(join(folder, 'good'), bytes);
  const bad = await reader.read(join(folder, 'bad'), 10).catch((error) => error);
  t.ok(bad instanceof PackageRefused);
  const absent = await reader.read(join(folder, 'absent'), 10).catch((error) => error);
  t.notOk(absent instanceof PackageRefused);
  t.match(absent, Error);
  t.match((await reader.read(join(folder, 'good'), bytes.length)).app, { name: 'Demo' });
  t.equal(started(), 1);
});

t.test('a thread that runs out of memory refuses its package, and the next one is read by another', async (t) => {
  const small = open(t, 4);
  const path = join(t.testdir(), 'app');
  const bytes = await iosPackage();
  writeFileSync(path, bytes);
  const refused = await small.reader.read(path, bytes.length).catch((error) => error);
  t.ok(refused instanceof PackageRefused);
  t.match(refused, { message: /memory/ });
  await small.reader.read(path, bytes.length).catch(() => undefined);
  t.equal(small.started(), 2);
});
