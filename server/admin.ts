import { parseArgs } from 'node:util';
import { AccountError } from './account/account-error.ts';
import { Accounts } from './account/accounts.ts';
import { systemClock } from './flow/clock.ts';
import { readDataDir, SettingsError, toolEnvironment } from './settings.ts';
import { databasePath } from './store/database.ts';
import { NewerDatabaseError } from './store/migrations.ts';
import { Store } from './store/store.ts';

/** The command behind `npm run admin`: accounts and keys of a data directory, whether or not a server runs on it. */

const HELP = `Usage: npm run admin -- COMMAND [--json]

  account create NAME            make an account and its first key
  account list                   list the accounts
  key create ACCOUNT [--name N]  make another key
  key list ACCOUNT               list an account's keys
  key revoke KEY_ID_OR_KEY       end a key; its live connections are closed

  doctor                         tell which devices this host offers, and how to get the others

  --json                         print JSON
  --quiet                        print a new key alone, for scripts
  --help                         print this

Works on the folder that RUNCLOUD_DATA_DIR names (.runcloud), also while the server runs.
A key is printed once, when it is made.
`;

const EXIT_FAILED = 1;
const EXIT_BAD_ARGUMENTS = 2;

class UsageError extends Error {}

/** What a command answers: an object for `--json`, lines for people. */
interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** The key that was made: all that `--quiet` prints. */
  readonly key?: string;
}

interface Command {
  /** What its one argument is called; absent for a command that takes none. */
  readonly argument?: string;
  readonly named?: true;
  run(accounts: Accounts, argument: string, name: string | undefined): Answer;
}

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
  'key create': {
    argument: 'ACCOUNT',
    named: true,
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
};

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
    const { diagnose, findingLines } = await import('./device/doctor.ts');
    const findings = await diagnose(toolEnvironment(process.env));
    return values.json ? `${JSON.stringify({ findings })}\n` : findingLines(findings);
  }
  const [room = '', verb = '', argument, ...rest] = positionals;
  const command = Object.hasOwn(COMMANDS, `${room} ${verb}`) ? COMMANDS[`${room} ${verb}`] : undefined;
  if (!command)
    throw new UsageError(`Give one of the commands ${Object.keys(COMMANDS).join(', ')}, doctor; --help tells more`);
  if (rest.length > 0 || (argument !== undefined) !== (command.argument !== undefined)) {
    throw new UsageError(
      `${room} ${verb} takes ${command.argument ? `one argument, ${command.argument}` : 'no argument'}`,
    );
  }
  if (values.name !== undefined && !command.named) throw new UsageError(`${room} ${verb} has no option --name`);
  const store = new Store(databasePath(readDataDir(process.env)));
  try {
    const answer = command.run(new Accounts(store, systemClock), argument ?? '', values.name);
    if (values.quiet) return answer.key === undefined ? '' : `${answer.key}\n`;
    return values.json ? `${JSON.stringify(answer.json)}\n` : answer.text;
  } finally {
    store.close();
  }
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
