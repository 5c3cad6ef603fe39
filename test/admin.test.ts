import { existsSync } from 'node:fs';
import t from 'tap';
import { Accounts } from '../server/account/accounts.ts';
import { hasValidChecksum } from '../server/account/api-key.ts';
import { Authenticator, KEY_POLL_MS } from '../server/account/authenticator.ts';
import { systemClock } from '../server/flow/clock.ts';
import { databasePath } from '../server/store/database.ts';
import { MIGRATIONS } from '../server/store/migrations.ts';
import { Store } from '../server/store/store.ts';
import { ManualClock } from './account/manual-clock.ts';
import { admin, json } from './support/admin-command.ts';

t.test('an account is made on an empty data directory, and its answer is one line of JSON', async (t) => {
  const dir = t.testdir();
  const run = await admin(dir, 'account', 'create', 'acme', '--json');
  t.match(run, { code: 0, stderr: '', stdout: /^\{.*\}\n$/ });
  const answer = json(run);
  t.strictSame(Object.keys(answer), ['accountId', 'key']);
  t.match(answer.accountId, /^acc_/);
  t.ok(hasValidChecksum(String(answer.key)));
});

t.test('accounts and keys are listed, made and revoked, as JSON and as text', async (t) => {
  const dir = t.testdir();
  const { key } = json(await admin(dir, 'account', 'create', 'acme', '--json'));
  const made = json(await admin(dir, '--json', 'key', 'create', 'acme', '--name', 'ci'));
  t.match(made, { accountId: /^acc_/, keyId: /^key_/, key: /^rck_/ });
  t.match(json(await admin(dir, 'account', 'list', '--json')), {
    accounts: [{ accountId: made.accountId, organizationId: /^org_/, name: 'acme', createdAt: /^2.*Z$/ }],
  });
  t.match(json(await admin(dir, 'key', 'revoke', String(key), '--json')), { keyId: /^key_/, revokedAt: /^2.*Z$/ });
  t.match(await admin(dir, 'key', 'revoke', String(made.keyId)), { code: 0, stdout: `revoked ${made.keyId}\n` });
  const { keys } = json(await admin(dir, 'key', 'list', 'acme', '--json'));
  t.match(keys, [
    { name: 'first', revokedAt: /Z$/ },
    { name: 'ci', keyId: made.keyId, revokedAt: /Z$/ },
  ]);
  t.match((await admin(dir, 'key', 'list', 'acme')).stdout, /^key_\S+ {2}\S+ {2}first {2}revoked .*\nkey_.*\n$/);
  t.match((await admin(dir, 'account', 'list')).stdout, /^acc_\S+ {2}\S+Z {2}acme\n$/);
  t.match((await admin(dir, 'account', 'create', 'b')).stdout, /^account acc_\w+\nkey {5}rck_\w+\n$/);
});

t.test('it works while a server has the database open and writes, which sees its keys and revocations', async (t) => {
  const dir = t.testdir();
  const store = new Store(databasePath(dir));
  const clock = new ManualClock();
  const authenticator = new Authenticator({ store, clock });
  t.teardown(() => {
    authenticator.close();
    store.close();
  });
  const local = new Accounts(store, systemClock);
  local.create('busy');
  const writing = setInterval(() => local.createKey('busy'), 1);
  t.teardown(() => clearInterval(writing));
  const runs = await Promise.all(['a', 'b', 'c'].map((name) => admin(dir, 'account', 'create', name, '--json')));
  for (const run of runs) {
    t.equal(run.code, 0, run.stderr);
    t.ok(authenticator.authenticate(`Bearer ${json(run).key}`));
  }
  const [first] = runs;
  const key = String(first && json(first).key);
  const revoked: string[] = [];
  authenticator.onRevoked((keyId) => revoked.push(keyId));
  t.equal((await admin(dir, 'key', 'revoke', key)).code, 0);
  clock.advance(KEY_POLL_MS);
  t.equal(revoked.length, 1);
  t.equal(authenticator.authenticate(`Bearer ${key}`), undefined);
});

t.test('it waits for a write lock that another connection holds', async (t) => {
  const dir = t.testdir();
  const { Sqlite } = await import('../server/store/sqlite.ts');
  new Store(databasePath(dir)).close();
  const database = new Sqlite(databasePath(dir));
  t.teardown(() => database.close());
  database.exec('BEGIN IMMEDIATE');
  const running = admin(dir, 'account', 'create', 'acme', '--json');
  setTimeout(() => database.exec('COMMIT'), 2_500);
  t.match(await running, { code: 0, stderr: '' });
});

t.test('bad arguments end with code 2, one line on standard error, and no data directory', async (t) => {
  const dir = `${t.testdir()}/absent`;
  const wrong = [[], ['frobnicate'], ['account'], ['account', 'create'], ['account', 'create', 'a', 'b']];
  wrong.push(['account', 'list', 'x'], ['account', 'create', 'a', '--name', 'x'], ['account', 'list', '--frob']);
  wrong.push(['key', 'create', 'a', '--name'], ['key', 'revoke'], ['__proto__', 'x'], ['account', 'list', '--json=1']);
  const runs = await Promise.all(wrong.map(async (args) => [args.join(' '), await admin(dir, ...args)] as const));
  for (const [args, run] of runs) t.match(run, { code: 2, stdout: '', stderr: /^[^\n]+\n$/ }, args);
  t.notOk(existsSync(dir));
});

t.test('with --json a bad argument is an error envelope on standard error', async (t) => {
  for (const args of [['account', 'create', 'bad name'], ['frobnicate'], ['account', 'list', '--frob']]) {
    const run = await admin(t.testdir(), ...args, '--json');
    t.match(run, { code: 2, stdout: '' });
    const envelope = JSON.parse(run.stderr);
    t.match(envelope, { ok: false, error: { code: 'invalid_request', message: /\w/, retryable: false } });
    t.strictSame(
      [Object.keys(envelope), Object.keys(envelope.error)],
      [
        ['ok', 'error'],
        ['code', 'message', 'retryable'],
      ],
    );
  }
});

t.test('a command that the data directory does not allow ends with code 1', async (t) => {
  const dir = t.testdir();
  await admin(dir, 'account', 'create', 'acme');
  const taken = await admin(dir, 'account', 'create', 'ACME');
  t.match(taken, { code: 1, stdout: '', stderr: 'There is an account ACME already\n' });
  t.match(await admin(dir, 'key', 'create', 'none'), { code: 1, stderr: 'There is no account "none"\n' });
  t.match(await admin(dir, 'key', 'revoke', 'rck_secret'), { code: 1, stderr: 'There is no such key\n' });
});

t.test('a wrong data directory setting and a newer database are told in one line', async (t) => {
  t.match(await admin('', 'account', 'list'), { code: 2, stderr: /^RUNCLOUD_DATA_DIR is ""; allowed: [^\n]+\n$/ });
  const dir = t.testdir();
  new Store(databasePath(dir)).close();
  const { Sqlite } = await import('../server/store/sqlite.ts');
  const database = new Sqlite(databasePath(dir));
  database.pragma(`user_version = ${MIGRATIONS.length + 1}`);
  database.close();
  t.match(await admin(dir, 'account', 'list'), { code: 1, stdout: '', stderr: /^The database [^\n]+\n$/ });
});

t.test('help is printed on standard output', async (t) => {
  t.match(await admin(t.testdir(), '--help'), { code: 0, stderr: '', stdout: /^Usage: .*account create NAME/s });
});
