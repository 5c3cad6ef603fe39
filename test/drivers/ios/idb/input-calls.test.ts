import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { IdbCompanion } from '../../../../server/drivers/ios/idb/idb-companion.ts';
import { runningChildren } from '../../../../server/drivers/process/children.ts';
import { seeded } from '../../../conformance/random.ts';
import type { CompanionStandIn } from '../../../support/ios/companion-stand-in.ts';
import { StandInMac } from '../../../support/ios/stand-in-mac.ts';

const SHIFT = 0xe1;
const A = 0x04;

const mac = await StandInMac.start({ helpers: ['idb_companion'] });
const { udid, guest } = mac.add('Guest', 'Booted');
const start = () => IdbCompanion.start(`${mac.tools.PATH}/idb_companion`, udid, mac.tools);
const companion = await start();
const stand = mac.helpers.at(-1) as CompanionStandIn;
const lost: string[] = [];
companion.onLost((reason) => lost.push(reason));

t.teardown(async () => {
  await companion.close();
  if (runningChildren() !== 0) throw new Error('a companion goes on');
  await mac.close();
});

const news = () =>
  guest.arrivals.splice(0).map(({ detail }) => Object.values(detail as Record<string, unknown>).join(' '));

t.test('events arrive in their order, however often it is asked whether they have', async (t) => {
  const random = seeded(29);
  const sent: string[] = [];
  const asked: Promise<void>[] = [];
  for (let count = 0; count < 1_000; count++) {
    const [direction, usage] = [random() < 0.5 ? 'down' : 'up', 0x1e + Math.floor(random() * 10)] as const;
    companion.key(direction, usage);
    sent.push(`${direction} ${usage}`);
    const chance = random();
    if (chance < 0.1) asked.push(companion.taken());
    if (chance > 0.97) await sleep(1);
  }
  await Promise.all([...asked, companion.taken()]);
  t.same(news(), sent);
  for (let usage = 0x1e; usage < 0x28; usage++) companion.key('up', usage);
  await companion.taken();
  news();
});

t.test('an answer means that all inputs before it have arrived, and does not wait for later ones', async (t) => {
  for (let round = 0; round < 50; round++) {
    companion.key('down', A);
    companion.key('up', A);
    const taken = companion.taken();
    companion.key('down', SHIFT);
    await taken;
    t.same(news().slice(0, 2), [`down ${A}`, `up ${A}`]);
    companion.key('up', SHIFT);
    await companion.taken();
    news();
  }
});

t.test('input that is refused fails what it belonged to, in plain words, and the next arrives', async (t) => {
  stand.refuses = 'no such\u001b[31m button\nof 12';
  companion.key('down', A);
  await t.rejects(companion.taken(), { name: 'DeviceFault', kind: 'failed', message: /no such \[31m button of 12/ });
  companion.key('up', A);
  stand.refuses = undefined;
  await companion.taken().catch(() => undefined);
  news();
  companion.key('down', SHIFT);
  companion.key('up', SHIFT);
  await companion.taken();
  t.same(news().slice(-2), [`down ${SHIFT}`, `up ${SHIFT}`]);
  t.same([guest.inspect().heldKeys, lost], [[], []]);
});

t.test('a companion that hangs is told in time, keeps nobody who gives up, and ends with all lifted', async (t) => {
  companion.key('down', A);
  companion.touch('begin', [{ x: 0.5, y: 0.5 }]);
  await companion.taken();
  t.equal(guest.inspect().pointers.length, 1);
  stand.hangs = true;
  companion.touch('end', [{ x: 0.5, y: 0.5 }]);
  companion.key('up', A);
  let isTold = false;
  const patient = companion.taken().finally(() => {
    isTold = true;
  });
  patient.catch(() => undefined);
  await t.rejects(companion.taken(AbortSignal.timeout(50)), { name: 'DeviceFault', kind: 'aborted' });
  await t.rejects(companion.taken(AbortSignal.abort()), { name: 'DeviceFault', kind: 'aborted' });
  t.notOk(isTold, 'who gives up is not held');
  await t.rejects(patient, { name: 'DeviceFault', kind: 'unreachable', message: /does not say/ });
  t.match(guest.inspect(), { pointers: [{}] }, 'the guest has not got it');
  stand.hangs = false;
  await companion.taken();
  t.match(
    guest.inspect(),
    { pointers: { length: 0 }, heldKeys: { length: 0 } },
    'what was lost in between was lifted again',
  );
  t.same(lost, [], 'silence alone loses no simulator');
  news();
  await companion.taken();
  t.same(news(), [], 'once');
});

t.test('a companion that dies is lost, once, and everything that waits for it is told', async (t) => {
  const other = await start();
  const dying = mac.helpers.at(-1) as CompanionStandIn;
  const reasons: string[] = [];
  other.onLost((reason) => reasons.push(reason));
  dying.hangs = true;
  other.key('down', A);
  const waiting = other.taken();
  const ended = new Promise<string>((resolve) => {
    other.video({ head: () => undefined, picture: () => undefined, ended: resolve });
  });
  await sleep(50);
  dying.kill();
  await t.rejects(waiting, { name: 'DeviceFault', kind: 'unreachable' });
  t.match(await ended, /video/);
  await t.rejects(other.taken(), { name: 'DeviceFault', kind: 'unreachable' });
  t.throws(() => other.key('up', A), { name: 'DeviceFault', kind: 'unreachable' });
  t.match(reasons, [/idb_companion/]);
  await other.close();
  t.equal(reasons.length, 1);
});
