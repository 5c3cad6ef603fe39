import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { findHelper } from '../../../server/drivers/ios/find-helper.ts';
import { MadeSimulators } from '../../../server/drivers/ios/made-simulators.ts';
import type { Simulator } from '../../../server/drivers/ios/simulator-list.ts';
import { SimulatorSlot } from '../../../server/drivers/ios/simulator-slot.ts';
import type { Udid } from '../../../server/drivers/ios/udid.ts';
import { StandInMac } from '../../support/ios/stand-in-mac.ts';

const HOUR_MS = 3_600_000;

async function onMac(t: Test) {
  const mac = await StandInMac.start();
  const { HOME = '' } = mac.tools;
  const folder = join(HOME, 'Library', 'Application Support', 'runcloud', 'simulators');
  const notes = () => readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const slot = new SimulatorSlot('iPhone Stand-In', join(HOME, 'xcrun'), mac.tools, findHelper(mac.tools));
  t.teardown(async () => {
    await slot.close();
    await mac.close();
  });
  /** Writes a note as an earlier service would have left it. */
  const note = (name: string, rest: object) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, name), JSON.stringify({ name, notedMs: Date.now(), ...rest }));
  };
  return { mac, folder, slot, note, notes };
}

/** The number of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn('true');
  await new Promise((resolve) => child.once('exit', resolve));
  return child.pid ?? 0;
}

t.test('a simulator is noted before it is made, and by its UDID before it is used', async (t) => {
  const { mac, slot, notes } = await onMac(t);
  const seen: Record<string, unknown[]> = {};
  mac.override = ([, command = '']) => {
    if (command === 'create' || command === 'boot') seen[command] = notes();
    return undefined;
  };
  const { udid } = await slot.prepare();
  const [made] = mac.made;
  t.match(seen.create, [{ name: made?.name, owner: process.pid, udid: undefined }]);
  t.match(seen.boot, [{ name: made?.name, owner: process.pid, udid }]);
  t.match(made?.name, /^runcloud-\d+-\d+-[0-9a-f]{16}$/, 'under a name that nobody guesses');
  await slot.giveBack();
  await slot.prepare();
  t.equal(notes().length, 1, 'and forgotten when it is gone');
});

t.test("a person's simulator stays, whatever it is named", async (t) => {
  const { mac, slot } = await onMac(t);
  const pid = await deadPid();
  const mine = [mac.add(`runcloud-${pid}-1`), mac.add(`runcloud-${pid}-1-0123456789abcdef`), mac.add('runcloud-1-x')];
  await slot.prepare();
  for (const simulator of mine) t.ok(mac.simulators.includes(simulator), simulator.name);
});

t.test('simulators of services that have ended are removed, by UDID or by name', async (t) => {
  const { mac, slot, note, notes } = await onMac(t);
  const owner = await deadPid();
  const renamed = mac.add('Renamed by hand');
  note('runcloud-5-1-aaaaaaaaaaaaaaaa', { owner, udid: renamed.udid });
  // The service ended between its question and the answer.
  const unanswered = mac.add('runcloud-5-2-bbbbbbbbbbbbbbbb');
  note('runcloud-5-2-bbbbbbbbbbbbbbbb', { owner });
  // This process has the number of the one before the restart.
  const before = Date.now() - process.uptime() * 1_000 - HOUR_MS;
  const recycled = mac.add('runcloud-6-1-cccccccccccccccc');
  note('runcloud-6-1-cccccccccccccccc', { owner: process.pid, udid: recycled.udid, notedMs: before });
  // Another process was given it, long after the note.
  const stranger = spawn('sleep', ['60']);
  t.teardown(() => stranger.kill());
  const taken = mac.add('runcloud-7-1-dddddddddddddddd');
  note('runcloud-7-1-dddddddddddddddd', { owner: stranger.pid, udid: taken.udid, notedMs: Date.now() - HOUR_MS });
  // This very process does not know whether it was made.
  const abandoned = mac.add('runcloud-8-1-eeeeeeeeeeeeeeee');
  note('runcloud-8-1-eeeeeeeeeeeeeeee', { owner: process.pid, abandoned: true });

  await slot.prepare();
  for (const simulator of [renamed, unanswered, recycled, taken, abandoned]) {
    t.notOk(mac.simulators.includes(simulator), simulator.name);
  }
  t.equal(mac.made.length, 1);
  t.equal(notes().length, 6, 'the notes stay while something may still come into being');
});

t.test('a simulator of a running service stays', async (t) => {
  const { mac, slot, note } = await onMac(t);
  const other = spawn('sleep', ['60']);
  t.teardown(() => other.kill());
  const theirs = mac.add('runcloud-9-1-ffffffffffffffff');
  note('runcloud-9-1-ffffffffffffffff', { owner: other.pid, udid: theirs.udid });
  const own = mac.add('runcloud-9-2-0000000000000000');
  note('runcloud-9-2-0000000000000000', { owner: process.pid, udid: own.udid });
  await slot.prepare();
  t.ok(mac.simulators.includes(theirs) && mac.simulators.includes(own));
});

t.test('a simulator whose making was given up is removed once it is there', async (t) => {
  const { mac, slot, notes } = await onMac(t);
  mac.override = ([, command = '']) => (command === 'create' ? { stdout: 'no name at all\n' } : undefined);
  await t.rejects(slot.prepare(), { name: 'DeviceFault' });
  const [{ name }] = notes();
  t.match(notes(), [{ abandoned: true }]);
  const late = mac.add(name);
  mac.override = () => undefined;
  await slot.prepare();
  t.notOk(mac.simulators.includes(late));
  mac.override = ([, command = '']) =>
    command === 'create' ? { exitCode: 22, stderr: 'Invalid device type\n' } : undefined;
  await slot.giveBack();
  await t.rejects(slot.prepare(), { name: 'DeviceFault' });
  t.equal(notes().length, 1, 'what was refused is not noted any more');
});

t.test('notes of long ago go, once there is nothing of them', async (t) => {
  const { mac, note, notes } = await onMac(t);
  const owner = await deadPid();
  note('runcloud-5-1-aaaaaaaaaaaaaaaa', { owner, notedMs: Date.now() - HOUR_MS });
  note('runcloud-5-2-bbbbbbbbbbbbbbbb', { owner });
  t.same(await new MadeSimulators(mac.tools).leftBehind([]), []);
  t.match(notes(), [{ name: 'runcloud-5-2-bbbbbbbbbbbbbbbb' }]);
});

t.test(
  'notes that other users could have written are ignored, and no simulator is created that cannot be noted',
  async (t) => {
    const { mac, folder, slot, note } = await onMac(t);
    const theirs = mac.add('My iPhone');
    note('runcloud-5-1-aaaaaaaaaaaaaaaa', { owner: await deadPid(), udid: theirs.udid });
    chmodSync(folder, 0o777);
    await t.rejects(slot.prepare(), { name: 'DeviceFault', kind: 'unavailable', message: /cannot be noted/ });
    t.same(mac.simulators, [theirs]);
    t.notOk(mac.calls.some((call) => call.includes('create')));
  },
);

t.test('a simulator of a snapshot stays for as long as the file of the snapshot, whoever has made it', async (t) => {
  const { mac, slot, note } = await onMac(t);
  const files = t.testdir({ 'there.snapshot': '' });
  const [there, gone] = [join(files, 'there.snapshot'), join(files, 'gone.snapshot')];
  const dead = await deadPid();
  let count = 0;
  const make = (rest: object) => {
    const name = `runcloud-3-${++count}-0123456789abcdef`;
    const simulator = mac.add(name);
    note(name, { udid: simulator.udid, ...rest });
    return simulator;
  };
  const stay = {
    'of a service that has ended': make({ owner: dead, file: there, written: true }),
    'of one that ended before it had noted the file': make({ owner: dead, file: there }),
    'of this one': make({ owner: process.pid, file: there, written: true }),
    'of this one, that is being kept': make({ owner: process.pid, file: gone }),
    'whose folder was moved': make({ owner: dead, file: join(files, 'moved', 'a.snapshot'), written: true }),
    'of long ago': make({ owner: dead, file: there, written: true, notedMs: Date.now() - HOUR_MS }),
  };
  const go = {
    'whose snapshot was deleted': make({ owner: dead, file: gone, written: true }),
    'whose snapshot was deleted while this process runs': make({ owner: process.pid, file: gone, written: true }),
    'whose file was never written': make({ owner: dead, file: gone }),
    'whose folder is a file now': make({ owner: dead, file: join(there, 'file'), written: true }),
    'that was given up': make({ owner: process.pid, file: there, abandoned: true }),
  };
  await slot.prepare();
  for (const [which, simulator] of Object.entries(stay)) t.ok(mac.simulators.includes(simulator), which);
  for (const [which, simulator] of Object.entries(go)) t.notOk(mac.simulators.includes(simulator), which);
  const simulators = mac.simulators as unknown as Simulator[];
  t.equal(new MadeSimulators(mac.tools).keptCount(simulators), Object.keys(stay).length);
});

t.test(
  'a snapshot that was moved with its folder tells where it is, and its simulator goes with it there',
  async (t) => {
    const { mac, slot, note, notes } = await onMac(t);
    const files = t.testdir({ 'a.snapshot': '' });
    const now = join(files, 'a.snapshot');
    const kept = mac.add('runcloud-3-1-0123456789abcdef');
    const other = mac.add('runcloud-3-2-0123456789abcdef');
    for (const { name, udid } of [kept, other])
      note(name, { owner: await deadPid(), udid, file: '/moved/away/a.snapshot', written: true });
    slot.own.isIn(now, kept.udid as Udid);
    t.same(
      [kept, other].map(({ name }) => notes().find((one) => one.name === name).file),
      [now, '/moved/away/a.snapshot'],
    );
    rmSync(now);
    await slot.prepare();
    t.notOk(mac.simulators.includes(kept));
    t.ok(mac.simulators.includes(other));
  },
);
