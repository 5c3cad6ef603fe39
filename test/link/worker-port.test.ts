import { Worker } from 'node:worker_threads';
import t from 'tap';
import { HostLink } from '../../server/link/host-link.ts';
import { gatewayRows } from '../../server/link/input-rows.ts';
import { RemoteDevice } from '../../server/link/remote-device.ts';
import { portToWorker } from '../../server/link/worker-port.ts';
import { performed } from '../support/performed.ts';
import { deferred } from '../support/scripted-device.ts';

const UNREACHABLE = { name: 'DeviceFault', kind: 'unreachable' };

/** A link to a thread that dies on request. */
function openFrail() {
  const worker = new Worker(new URL('../support/frail-host.mjs', import.meta.url), { stderr: true });
  const link = new HostLink(portToWorker(worker));
  const lost = deferred<string>();
  link.listen(1, { lost: lost.resolve, orientation: () => undefined });
  return { worker, link, lost: lost.promise };
}

t.test('a thread that is killed while a call never answers rejects the call', async (t) => {
  const { worker, link, lost } = openFrail();
  await link.ask('releaseAll', 1, {}).answered;
  const rejected = t.rejects(link.ask('screenshot', 1, { settled: false }).answered, UNREACHABLE);
  await worker.terminate();
  await rejected;
  t.match(await lost, /exit code/);
});

t.test('a thread that exits by itself rejects what was asked and tells the device lost', async (t) => {
  const { link, lost } = openFrail();
  await t.rejects(link.ask('close', 1, {}).answered, UNREACHABLE);
  t.match(await lost, /exit code 3/);
  await t.rejects(link.ask('releaseAll', 1, {}).answered, UNREACHABLE);
});

t.test('a thread that crashes keeps the words of its error from callers', async (t) => {
  const { link, lost } = openFrail();
  const fault = await link.ask('inspect', 1, {}).answered.catch((error: unknown) => error);
  t.match(fault, UNREACHABLE);
  t.notMatch(String(fault), /frail-host|broken/);
  t.notMatch(await lost, /frail-host|broken/);
});

t.test('a thread that crashes ends what it has under way first, and keeps its error', async (t) => {
  const worker = new Worker(new URL('../support/slow-crash.mjs', import.meta.url));
  const told: unknown[] = [];
  worker.on('message', (message) => told.push(message));
  worker.on('error', ({ message }) => told.push(message));
  await new Promise((resolve) => worker.once('exit', resolve));
  t.same(new Set(told), new Set(['done', 'broken']), 'in whatever order a port and an error come');
});

t.test('closing the link ends the thread', async (t) => {
  const { worker, link } = openFrail();
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  await link.close();
  t.equal(await exited, 1, 'a thread that does not end itself is terminated');
});

t.test('a host is closed at any moment, also while it loads the encoder, and the process lives on', async (t) => {
  const profile = { encoding: 'h264', quality: 70, maxFps: 60 } as const;
  for (let round = 0; round < 12; round++) {
    const worker = new Worker(new URL('../../server/host/boot.mjs', import.meta.url));
    const link = new HostLink(gatewayRows(portToWorker(worker)));
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    const device = await RemoteDevice.open(link, 1, { platform: 'ios' });
    device.watch(profile, { picture: () => undefined, ended: () => undefined });
    await new Promise((resolve) => setTimeout(resolve, round * 10));
    await link.close();
    t.equal(await exited, 0, 'the thread ends itself');
  }
});

t.test(
  'a host is closed in the middle of pictures that the thread pool works on, and the process lives on',
  async (t) => {
    let seen = 0;
    for (let round = 0; round < 6; round++) {
      const worker = new Worker(new URL('../../server/host/boot.mjs', import.meta.url));
      const link = new HostLink(gatewayRows(portToWorker(worker)));
      const exited = new Promise((resolve) => worker.once('exit', resolve));
      const device = await RemoteDevice.open(link, 1, { platform: 'ios' });
      const moving = deferred<void>();
      let left = 8 + round;
      for (const encoding of ['h264', 'jpeg', 'png'] as const) {
        const profile = { encoding, quality: 70, maxFps: 60 };
        const picture = () => {
          seen++;
          if (--left === 0) moving.resolve();
        };
        device.watch(profile, { picture, ended: () => undefined });
      }
      // Motion: there is always a picture under way.
      const request = { requestId: 'r', timeoutMs: 15_000, action: 'tap', x: 0.388, y: 0.32 } as const;
      await new Promise((answered, failed) => device.perform(request, 1, { answered, failed }));
      await moving.promise;
      void device.screenshot().catch(() => undefined);
      await link.close();
      t.equal(await exited, 0, 'the thread ends itself');
    }
    t.ok(seen > 0);
  },
);

t.test('the real host thread opens a virtual device and lives as long as its link', { timeout: 60_000 }, async (t) => {
  const worker = new Worker(new URL('../../server/host/boot.mjs', import.meta.url));
  const link = new HostLink(gatewayRows(portToWorker(worker)));
  t.teardown(() => link.close());
  const device = await RemoteDevice.open(link, 1, { platform: 'android' });
  t.match(device.descriptor, { model: 'Virtual Android', driver: 'virtual' });
  const request = { requestId: 'r', timeoutMs: 15_000, action: 'tap', x: 0.5, y: 0.5 } as const;
  t.strictSame(await performed(device, request, 1).answered, { pointCount: 1 });
  const common = { requestId: 'r', timeoutMs: 60_000 };
  const held = { ...common, action: 'pressKey' as const, key: 'a' as const, modifiers: [], durationMs: 30_000 };
  const call = performed(device, held, 2);
  await device.inspect();
  device.cancel(call.id);
  await t.rejects(call.answered, { name: 'DeviceFault', kind: 'aborted' });
  const pending = t.rejects(performed(device, held, 3).answered, UNREACHABLE);
  await worker.terminate();
  await pending;
});
