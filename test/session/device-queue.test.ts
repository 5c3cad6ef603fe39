import t from 'tap';
import { DeviceQueue } from '../../server/session/device-queue.ts';
import type { Lease } from '../../server/session/lease.ts';
import type { Slot } from '../../server/session/slot.ts';
import { DESCRIPTOR, deferred } from '../support/scripted-device.ts';
import { ACME, openSessions, standing } from '../support/session-arena.ts';

/** Devices of which the test says what becomes of each. */
function openQueue(models: readonly string[]) {
  const slots = models.map(
    (model, index): Slot => ({
      ...{ index, deviceId: `dev_${index}`, platform: 'ios', scope: { openUrl: true }, target: undefined },
      ...{ descriptor: { ...DESCRIPTOR, model }, lease: undefined, returning: Promise.resolve(), healthy: true },
    }),
  );
  const queue = new DeviceQueue({
    slots,
    isFree: ({ lease, returning, healthy }) => healthy && !lease && !returning,
    isExpected: ({ lease, returning, healthy }) => healthy && !lease && returning !== undefined,
  });
  const story: string[] = [];
  const join = (name: string, model?: string) => {
    const fits = ({ descriptor }: Slot) => model === undefined || descriptor.model === model;
    const expected = queue.expectedSlot(fits);
    if (!expected) return void story.push(`${name} is turned away`);
    const waiter = {
      fits,
      served: (slot: Slot) => {
        slot.lease = { leaseId: name } as Lease;
        story.push(`${name} gets ${slot.deviceId}`);
      },
      refused: ({ message }: Error) => void story.push(`${name} is refused: ${message}`),
    };
    queue.push(waiter);
    return waiter;
  };
  const free = (index: number) => {
    const slot = slots[index];
    if (slot) slot.returning = undefined;
    queue.serve('It did not come.');
  };
  const spoil = (index: number) => {
    const slot = slots[index];
    if (slot) slot.healthy = false;
    queue.serve('It did not come.');
  };
  return { queue, story, join, free, spoil };
}

t.test('whichever device comes free first goes to whoever has waited longest', async (t) => {
  const { join, free, story } = openQueue(['a', 'a', 'a']);
  for (const name of ['first', 'second', 'third', 'fourth']) join(name);
  free(2);
  free(0);
  free(1);
  t.strictSame(story, ['fourth is turned away', 'first gets dev_2', 'second gets dev_0', 'third gets dev_1']);
});

t.test('a device that fits only a later one does not wait for those before', async (t) => {
  const { join, free, story } = openQueue(['a', 'b']);
  join('first', 'a');
  join('second', 'b');
  join('third', 'b');
  free(1);
  free(0);
  t.strictSame(story, ['third is turned away', 'second gets dev_1', 'first gets dev_0']);
});

t.test('when a device does not come after all, the last in the queue is refused', async (t) => {
  const { join, free, spoil, story } = openQueue(['a', 'a']);
  join('first');
  join('second');
  spoil(0);
  t.strictSame(story, ['second is refused: It did not come.']);
  free(1);
  t.equal(story.at(-1), 'first gets dev_1');
});

t.test('a caller that leaves makes room in the queue, and is not called back', async (t) => {
  const { queue, join, free, story } = openQueue(['a']);
  const first = join('first');
  join('second');
  if (first) queue.remove(first);
  join('third');
  free(0);
  t.strictSame(story, ['second is turned away', 'third gets dev_0']);
});

t.test('a creation that waits for one device takes another that comes free before it', async (t) => {
  const { create, registry, devices, store } = openSessions(t);
  const slow = (await create()).record;
  const quick = (await create()).record;
  const closing = [deferred<void>(), deferred<void>()];
  devices.forEach((device, index) => {
    device.close = () => closing[index]?.promise ?? Promise.resolve();
  });
  await registry.release(ACME, slow.id);
  const waiting = create();
  t.equal(await standing(waiting), 'pending');
  await registry.release(ACME, quick.id);
  closing[1]?.resolve();
  const { record } = await waiting;
  t.match(record, { status: 'active', device: { id: quick.device.id } });
  t.strictSame(registry.read(ACME, record.id).device, record.device);
  t.equal(store.sessions.get(ACME.accountId, record.id)?.deviceId, quick.device.id, 'and so it is kept');
  const next = create();
  t.equal(await standing(next), 'pending');
  closing[0]?.resolve();
  t.equal((await next).record.device.id, slow.device.id);
});

t.test('creations that wait are served in their order', async (t) => {
  const { create, registry, devices } = openSessions(t);
  const sessions = [(await create()).record, (await create()).record];
  const closing = [deferred<void>(), deferred<void>()];
  devices.forEach((device, index) => {
    device.close = () => closing[index]?.promise ?? Promise.resolve();
  });
  for (const { id } of sessions) await registry.release(ACME, id);
  const first = create();
  const second = create();
  await t.rejects(create(), { code: 'simulator_capacity_unavailable' });
  closing[1]?.resolve();
  t.equal((await first).record.device.id, sessions[1]?.device.id);
  t.equal(await standing(second), 'pending');
  closing[0]?.resolve();
  t.equal((await second).record.device.id, sessions[0]?.device.id);
});
