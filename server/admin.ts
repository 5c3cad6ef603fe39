import './require-node.ts';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { RevokedAll } from '@runcloud/protocol';
import { findingLines } from '@runcloud/protocol/terms';
import { AccountError } from './account/account-error.ts';
import { Accounts } from './account/accounts.ts';
import { ApiKeys } from './account/api-keys.ts';
import { type IssuedLink, OneTimeLinks } from './account/one-time-links.ts';
import { RevokeAll } from './account/revoke-all.ts';
import { FLEET_KEY_PURPOSE, GrantSigner } from './fleet/grants.ts';
import { edgeUser, hostUser, isHostName, type NatsUser, natsEntryOf } from './fleet/nats-users.ts';
import { placeOf } from './fleet/subjects.ts';
import { readDatabaseUrl } from './fleet-settings.ts';
import { type Clock, systemClock } from './flow/clock.ts';
import { readAddress, readDataDir, SettingsError, toolEnvironment } from './settings.ts';
import { SIGNING_PURPOSES, signingPurposes } from './signing-purposes.ts';
import { databasePath } from './store/database.ts';
import { NewerDatabaseError } from './store/migrations.ts';
import { Store } from './store/store.ts';
import { UsageError } from './usage-error.ts';

/** The command `npm run admin`: manages the accounts and keys of a data directory, also while a server runs on it. */

const HELP = `Usage: npm run admin -- COMMAND [--json]

  account create NAME            create an account and its first key
  account list                   list the accounts
  account invite EMAIL [--account A]
                                 print a link with which EMAIL chooses a password: for
                                 account A, for its own account, or for a new one
  account sign-in NAME           print a link that signs in to NAME's dashboard, once
  account revoke-all NAME [--name N]
                                 revoke every credential of NAME: keys, programs, browsers,
                                 viewer links; with --name, create a new key
  key create ACCOUNT [--name N]  create another key
  key list ACCOUNT               list an account's keys
  key revoke KEY_ID_OR_KEY       revoke a key and close its connections

  secret rotate PURPOSE          replace a signing secret: viewer-token, retrieval-reference,
                                 known-browser, or all; its signatures are invalid at once

  host add NAME                  print the settings of a new host of this edge's fleet, and its
                                 user for the NATS server's configuration
  host list                      list the hosts that were added
  host drain NAME                let no new session go to a host; those that run go on
  host resume NAME               let new sessions go to it again
  host remove NAME               hear nothing of a host any more: its sessions have ended
  edge add                       print the same for an edge

  sample-app ios|android         write a small app to try uploads with: ./sample.ipa or ./sample.apk;
                                 only virtual phones open it

  doctor                         check which devices this host offers, and how to get the others
  certify [ENTRY] [--yes] [--out DIR] [--page-host ADDRESS]
                                 try everything on the device that ENTRY of RUNCLOUD_DEVICES
                                 names, judge it by its pictures, and write a certificate to
                                 DIR (default: ./certificate); asks first, unless --yes
  certify PLATFORM --url ORIGIN [--device MODEL]
                                 the same on a device of a running server, with a key of its
                                 in RUNCLOUD_API_KEY

  --json                         print JSON
  --quiet                        print only the new key or link, for scripts
  --url ORIGIN                   the server's address: for links (default: from its settings), or
                                 of the one to certify
  --help                         print this help

The commands use the database RUNCLOUD_DATABASE_URL of a fleet's edges, else the folder
RUNCLOUD_DATA_DIR (default: .runcloud), also while the server runs.
A new key or link is printed once. A link works once: an invitation within 7 days, a sign-in
within 15 minutes.
`;

const EXIT_FAILED = 1;
const EXIT_BAD_ARGUMENTS = 2;

/** The output of a command: an object for `--json`, lines of text otherwise. */
interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** The new key or link, which `--quiet` prints alone. */
  readonly key?: string;
}

interface Command {
  /** Name of its only argument; absent if it takes none. */
  readonly argument?: string;
  readonly option?: 'name' | 'account';
  /** Throws for an invalid argument, before anything is written. */
  readonly check?: (argument: string) => void;
  run(accounts: Accounts, argument: string, option: string | undefined, tools: Tools): Answer;
}

interface Tools extends Links {
  readonly hosts: Store['fleetHosts'];
  readonly hostSessions: Store['hostSessions'];
  readonly secrets: Pick<Store['secrets'], 'get' | 'rotate'>;
  readonly revokeAll: (accountId: string, newKeyName?: string) => RevokedAll;
}

/** Creates links; `origin` is the address of the server that they open. */
interface Links {
  readonly issue: OneTimeLinks;
  readonly origin: () => string;
}

function linkAnswer({ path, expiresAtMs }: IssuedLink, { origin }: Links): Answer {
  const url = origin() + path;
  const expiresAt = isoTime(expiresAtMs);
  return { json: { url, expiresAt }, text: `link    ${url}\nuntil   ${expiresAt}\n`, key: url };
}

const purposesOf = (name: string) => signingPurposes.filter((one) => name === 'all' || one === name);

const isoTime = (ms: number) => new Date(ms).toISOString();

const COMMANDS: Readonly<Record<string, Command>> = {
  'account create': {
    argument: 'NAME',
    run(accounts, name) {
      const { account, key } = accounts.create(name);
      return { json: { accountId: account.id, key }, text: `account ${account.id}\nkey     ${key}\n`, key };
    },
  },
  'account list': {
    run(accounts) {
      const list = accounts.list().map((account) => ({
        accountId: account.id,
        organizationId: account.organizationId,
        name: account.name,
        createdAt: isoTime(account.createdAtMs),
      }));
      const lines = list.map((account) => `${account.accountId}  ${account.createdAt}  ${account.name}\n`);
      return { json: { accounts: list }, text: lines.join('') || 'no accounts\n' };
    },
  },
  'account invite': {
    argument: 'EMAIL',
    option: 'account',
    run: (_accounts, email, account, links) => linkAnswer(links.issue.invite(email, account), links),
  },
  'account sign-in': {
    argument: 'NAME',
    run: (_accounts, name, _option, links) => linkAnswer(links.issue.signIn(name), links),
  },
  'account revoke-all': {
    argument: 'NAME',
    option: 'name',
    run(accounts, name, newKey, { revokeAll }) {
      const { newKey: made, ...counts } = revokeAll(accounts.named(name).id, newKey);
      const { keys, tokens, signIns, viewerLinks } = counts;
      const key = made === undefined ? {} : { key: made.key };
      const text = `revoked ${keys} keys, ${tokens} programs, ${signIns} browsers, ${viewerLinks} viewer links\n`;
      return { json: { ...counts, ...key }, text: text + (made ? `key     ${made.key}\n` : ''), ...key };
    },
  },
  'key create': {
    argument: 'ACCOUNT',
    option: 'name',
    run(accounts, accountName, name) {
      const { account, keyId, key } = accounts.createKey(accountName, name);
      return { json: { accountId: account.id, keyId, key }, text: `id      ${keyId}\nkey     ${key}\n`, key };
    },
  },
  'key list': {
    argument: 'ACCOUNT',
    run(accounts, accountName) {
      const list = accounts.listKeys(accountName).map((key) => ({
        keyId: key.id,
        name: key.name,
        createdAt: isoTime(key.createdAtMs),
        ...(key.lastUsedAtMs !== undefined && { lastUsedAt: isoTime(key.lastUsedAtMs) }),
        ...(key.revokedAtMs !== undefined && { revokedAt: isoTime(key.revokedAtMs) }),
      }));
      const lines = list.map((key) => {
        const state = key.revokedAt ? `revoked ${key.revokedAt}` : `last used ${key.lastUsedAt ?? 'never'}`;
        return `${key.keyId}  ${key.createdAt}  ${key.name}  ${state}\n`;
      });
      return { json: { keys: list }, text: lines.join('') || 'no keys\n' };
    },
  },
  'key revoke': {
    argument: 'KEY_ID_OR_KEY',
    run(accounts, keyIdOrKey) {
      const { id, revokedAtMs = Date.now() } = accounts.revokeKey(keyIdOrKey);
      return { json: { keyId: id, revokedAt: isoTime(revokedAtMs) }, text: `revoked ${id}\n` };
    },
  },
  'secret rotate': {
    argument: 'PURPOSE',
    check(purpose) {
      if (purposesOf(purpose).length > 0) return;
      throw new UsageError(`PURPOSE is one of ${[...signingPurposes, 'all'].join(', ')}`);
    },
    run(_accounts, purpose, _option, { secrets }) {
      const chosen = purposesOf(purpose);
      for (const one of chosen) secrets.rotate(one);
      const lines = chosen.map((one) => `rotated ${one}; no longer valid: ${SIGNING_PURPOSES[one]}\n`);
      return { json: { rotated: chosen }, text: lines.join('') };
    },
  },
  'host add': {
    argument: 'NAME',
    check(name) {
      if (isHostName(name)) return;
      throw new UsageError('NAME has 1 to 32 of a-z, 0-9 and -, and is not "edge"');
    },
    run(_accounts, name, _option, { secrets, hosts }) {
      hosts.add(name, Date.now());
      return userAnswer(hostUser(name, new GrantSigner(secrets.get(FLEET_KEY_PURPOSE)).publicKey));
    },
  },
  'host list': {
    run(_accounts, _argument, _option, { hosts }) {
      const list = hosts.list().map(({ name, addedAtMs, draining, removedAtMs }) => ({
        name,
        addedAt: isoTime(addedAtMs),
        state: removedAtMs !== undefined ? 'removed' : draining === 1 ? 'draining' : 'added',
      }));
      const lines = list.map(({ name, addedAt, state }) => `${name.padEnd(32)}  ${addedAt}  ${state}\n`);
      return { json: { hosts: list }, text: lines.join('') || 'no hosts\n' };
    },
  },
  'host drain': changeOfHost('draining', (hosts, name) => hosts.setDraining(name, true)),
  'host resume': changeOfHost('added', (hosts, name) => hosts.setDraining(name, false)),
  'host remove': changeOfHost(
    'removed',
    (hosts, name, hostSessions) => {
      const isKnown = hosts.remove(name, Date.now());
      if (isKnown) hostSessions.endAll(placeOf(name), 'host_removed', Date.now());
      return isKnown;
    },
    'Take its user out of authorization.users of the NATS server too.\n',
  ),
  'edge add': { run: () => userAnswer(edgeUser()) },
};

/** A command that changes one host, to a state. */
function changeOfHost(
  state: 'added' | 'draining' | 'removed',
  change: (hosts: Store['fleetHosts'], name: string, hostSessions: Store['hostSessions']) => boolean,
  note = '',
): Command {
  return {
    argument: 'NAME',
    run(_accounts, name, _option, { hosts, hostSessions }) {
      if (!change(hosts, name, hostSessions))
        throw new AccountError('unknown', `No host ${JSON.stringify(name)} was added`);
      return { json: { name, state }, text: `${name} is ${state}\n${note}` };
    },
  };
}

function userAnswer(user: NatsUser): Answer {
  const settings = Object.entries(user.environment).map(([name, value]) => `${name}=${value}\n`);
  const entry = natsEntryOf(user);
  const text = `${settings.join('')}\nFor authorization.users of the NATS server, which takes it without a restart (SIGHUP):\n\n${entry}\n`;
  return { json: { environment: user.environment, natsUser: entry }, text };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        quiet: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        name: { type: 'string' },
        account: { type: 'string' },
        url: { type: 'string' },
        yes: { type: 'boolean' },
        out: { type: 'string' },
        'page-host': { type: 'string' },
        device: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('\n', 1)[0] : String(error));
  }
}

async function execute(args: readonly string[]): Promise<string> {
  const { values, positionals } = parse(args);
  if (values.help) return HELP;
  if (positionals.length === 1 && positionals[0] === 'doctor') {
    const { diagnose } = await import('./host/doctor.ts');
    const findings = await diagnose(toolEnvironment(process.env));
    return values.json ? `${JSON.stringify({ findings })}\n` : findingLines(findings);
  }
  if (positionals[0] === 'sample-app') return sampleApp(positionals.slice(1), values);
  if (positionals[0] === 'certify') return certify(values, positionals.slice(1));
  for (const option of ['yes', 'out', 'page-host', 'device'] as const) {
    if (values[option] !== undefined) throw new UsageError(`Only certify has an option --${option}`);
  }
  const [room = '', verb = '', argument, ...rest] = positionals;
  const command = Object.hasOwn(COMMANDS, `${room} ${verb}`) ? COMMANDS[`${room} ${verb}`] : undefined;
  if (!command)
    throw new UsageError(
      `The commands are ${Object.keys(COMMANDS).join(', ')}, sample-app, doctor, certify; see --help`,
    );
  if (rest.length > 0 || (argument !== undefined) !== (command.argument !== undefined)) {
    throw new UsageError(
      `${room} ${verb} takes ${command.argument ? `one argument, ${command.argument}` : 'no argument'}`,
    );
  }
  for (const option of ['name', 'account'] as const) {
    if (values[option] !== undefined && command.option !== option) {
      throw new UsageError(`${room} ${verb} has no option --${option}`);
    }
  }
  command.check?.(argument ?? '');
  const { url } = values;
  const origin = () => readAddress(url === undefined ? process.env : { RUNCLOUD_PUBLIC_URL: url });
  // Fails for a wrong address before anything is written.
  origin();
  const { store, close } = await openStore();
  try {
    const keys = new ApiKeys(store, systemClock);
    const all = new RevokeAll({ store, keys, clock: systemClock, onRevoked: () => undefined });
    const tools: Tools = {
      issue: new OneTimeLinks(store, systemClock),
      origin,
      secrets: store.secrets,
      hosts: store.fleetHosts,
      hostSessions: store.hostSessions,
      revokeAll: (accountId, newKeyName) => all.run(accountId, newKeyName),
    };
    const option = command.option === undefined ? undefined : values[command.option];
    const answer = command.run(new Accounts(store, systemClock), argument ?? '', option, tools);
    await store.durable();
    if (values.quiet) return answer.key === undefined ? '' : `${answer.key}\n`;
    return values.json ? `${JSON.stringify(answer.json)}\n` : answer.text;
  } finally {
    await close();
  }
}

/** The store that a command works on: the data directory's or, where the edges of a fleet have a database in common, a copy of that. */
async function openStore(): Promise<{ readonly store: Store; readonly close: () => Promise<void> }> {
  const databaseUrl = readDatabaseUrl(process.env);
  if (databaseUrl === undefined) {
    const store = new Store(databasePath(readDataDir(process.env)));
    return { store, close: async () => store.close() };
  }
  const { openReplica } = await import('./wiring/replica.ts');
  const folder = mkdtempSync(join(tmpdir(), 'runcloud-admin-'));
  // It holds a copy of every secret, also if the command is interrupted.
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(EXIT_FAILED));
  const store = new Store(databasePath(folder));
  const nothing = () => undefined;
  const close = async () => {
    await replica?.close();
    store.close();
    remove();
  };
  let replica: Awaited<ReturnType<typeof openReplica>> | undefined;
  try {
    // It waits for the database, which nothing else may keep the process alive for.
    const schedule: Clock['schedule'] = (delayMs, run) => {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    };
    const options = { clock: { ...systemClock, schedule }, onReached: nothing, onChanged: nothing, onFault: nothing };
    replica = await openReplica(databaseUrl, store, options);
    await replica.begun();
    return { store, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const SAMPLE_APPS: Readonly<Record<string, string>> = { ios: 'sample.ipa', android: 'sample.apk' };

function sampleApp([platform = '', ...rest]: readonly string[], values: ReturnType<typeof parse>['values']): string {
  const name = Object.hasOwn(SAMPLE_APPS, platform) ? SAMPLE_APPS[platform] : undefined;
  if (name === undefined || rest.length > 0) throw new UsageError('sample-app takes one argument, ios or android');
  const path = resolve(name);
  copyFileSync(fileURLToPath(new URL(`sample/${name}`, import.meta.url)), path);
  return values.json ? `${JSON.stringify({ path })}\n` : `${path}\n`;
}

async function certify(values: ReturnType<typeof parse>['values'], operands: readonly string[]): Promise<string> {
  const [which, ...rest] = operands;
  if (rest.length > 0) throw new UsageError('certify takes one argument at most: ENTRY, or PLATFORM with --url');
  // Loaded here, since the other commands are to start without the service.
  const command = await import('./certify-command.ts');
  const { yes = false, json = false, out = 'certificate', url, device: deviceModel, 'page-host': pageHost } = values;
  process.exitCode = await command.certifyCommand({ which, url, deviceModel, yes, json, out, pageHost });
  return '';
}

function reportFailure(error: unknown, asJson: boolean): number {
  const isUsage =
    error instanceof UsageError ||
    error instanceof SettingsError ||
    (error instanceof AccountError && error.reason === 'invalid');
  const isCallers = isUsage || error instanceof AccountError || error instanceof NewerDatabaseError;
  const message = error instanceof Error ? error.message : String(error);
  const code = isCallers ? 'invalid_request' : 'internal_error';
  process.stderr.write(
    asJson ? `${JSON.stringify({ ok: false, error: { code, message, retryable: false } })}\n` : `${message}\n`,
  );
  return isUsage ? EXIT_BAD_ARGUMENTS : EXIT_FAILED;
}

const args = process.argv.slice(2);
try {
  process.stdout.write(await execute(args));
} catch (error) {
  process.exitCode = reportFailure(error, args.includes('--json'));
}
