import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openAccess } from '../../../../server/drivers/android/control/control-access.ts';
import { METHOD_PATHS } from '../../../../server/drivers/android/control/messages.ts';
import { StandInKeys } from '../../../support/android/key-exchange.ts';
import { openBackend } from '../../../support/android/opened-backend.ts';

const [PATH = ''] = METHOD_PATHS;

// Pauses between two attempts do not keep a process.
const alive = setInterval(() => undefined, 1_000);
t.teardown(() => clearInterval(alive));

function standInKeys(t: Test): StandInKeys {
  const keys = new StandInKeys();
  t.teardown(() => keys.close());
  return keys;
}

t.test('an emulator that asks for signed tokens is touched and seen, and the key goes with the backend', async (t) => {
  const keys = standInKeys(t);
  const { service, backend, guest } = await openBackend(t, { keys });
  await backend.tap({ x: 0.5, y: 0.5 }, new AbortController().signal);
  await backend.rotate(1, new AbortController().signal);
  await backend.refresh();
  t.not(guest.reports.length, 0);
  t.ok(new Set(service.calls).size >= 4, 'several methods were called');
  t.equal(keys.files.length, 1);
  backend.close();
  t.strictSame(keys.files, []);
});

t.test('the file of the key is for its owner alone, and holds the public half', async (t) => {
  const keys = standInKeys(t);
  const access = await openAccess({ port: 1, keys });
  const [name = ''] = keys.files;
  const file = join(keys.folder, name);
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.notMatch(readFileSync(file, 'utf8'), /"d":/);
  t.match(name, /^runcloud-\d+-.*\.jwk$/);
  access.close();
  access.close();
});

t.test('its tokens open what they name as long as they are good, and nothing else', async (t) => {
  const keys = standInKeys(t);
  const access = await openAccess({ port: 1, keys });
  const header = access.authorization() ?? '';
  for (const path of METHOD_PATHS) t.ok(keys.admits(header, path), path);
  t.notOk(keys.admits(header, '/android.emulation.control.EmulatorController/setVmState'));
  t.notOk(keys.admits(header, PATH, Date.now() / 1_000 + 601), 'it has expired');
  const [head, claims, signature = ''] = header.split('.');
  const forged = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
  t.notOk(keys.admits(`${head}.${claims}.${forged}`, PATH), 'it was altered');
  access.close();
  keys.look();
  t.notOk(keys.admits(header, PATH), 'its key is gone');
});

t.test(
  'a key that the emulator does not accept is removed: its token is used instead, and without one no call is accepted',
  async (t) => {
    const keys = standInKeys(t);
    keys.deaf = true;
    const [access] = await Promise.all([
      openAccess({ port: 1, token: 'secret', keys }),
      t.rejects(openAccess({ port: 1, keys }), { kind: 'unavailable', message: /did not take the key/ }),
    ]);
    t.equal(access.authorization(), 'Bearer secret');
    t.strictSame(keys.files, []);
    const nowhere = { folder: join(keys.folder, 'none'), active: keys.active };
    await t.rejects(openAccess({ port: 1, keys: nowhere }), { kind: 'unavailable', message: /cannot be written to/ });
  },
);

t.test('only a file of this user tells that the emulator took the key: a pipe keeps nobody waiting', async (t) => {
  const told = (file: string, answer: string) => writeFileSync(file, answer);
  const elsewhere = ({ folder }: StandInKeys) => join(folder, 'elsewhere');
  const cases: Record<string, (keys: StandInKeys, answer: string) => void> = {
    'a pipe': ({ active }) => execFileSync('mkfifo', [active]),
    'a folder': ({ active }) => mkdirSync(active),
    'a device without end': ({ active }) => symlinkSync('/dev/zero', active),
    'a link to the right answer': (keys, answer) => {
      told(elsewhere(keys), answer);
      symlinkSync(elsewhere(keys), keys.active);
    },
    'the right answer, by anybody': ({ active }, answer) => {
      told(active, answer);
      chmodSync(active, 0o666);
    },
    'the right answer, too long': ({ active }, answer) => told(active, answer + ' '.repeat(2_000_000)),
  };
  const refusals = Object.entries(cases).map(async ([name, answerBy]) => {
    const keys = standInKeys(t);
    keys.deaf = true;
    const opening = openAccess({ port: 1, keys });
    // The key is there by now, and the answer not yet looked for again.
    answerBy(keys, readFileSync(join(keys.folder, keys.files[0] ?? ''), 'utf8'));
    await t.rejects(opening, { kind: 'unavailable', message: /did not take the key/ }, name);
  });
  await Promise.all(refusals);
});

t.test('without keys the token is shown, and without both nothing', async (t) => {
  t.equal((await openAccess({ port: 1, token: 'secret' })).authorization(), 'Bearer secret');
  t.equal((await openAccess({ port: 1 })).authorization(), undefined);
});

t.test('keys of processes that are gone are removed, those of others stay', async (t) => {
  const keys = standInKeys(t);
  const gone = spawn('/bin/true');
  await once(gone, 'exit');
  const others = [`runcloud-${process.ppid}-a.jwk`, 'studio.jwk'];
  for (const name of [...others, `runcloud-${gone.pid}-a.jwk`]) writeFileSync(join(keys.folder, name), '{"keys":[]}');
  const access = await openAccess({ port: 1, keys });
  access.close();
  t.strictSame(keys.files.sort(), others.sort());
});
