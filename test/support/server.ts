import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Platform } from '@runcloud/protocol';
import { Accounts, LOCAL_ACCOUNT } from '../../server/account/accounts.ts';
import { type App, startApp } from '../../server/app.ts';
import type { Inspection } from '../../server/device/driver.ts';
import { type Clock, systemClock } from '../../server/flow/clock.ts';
import { createLogger } from '../../server/observe/logger.ts';
import { type Environment, readSettings } from '../../server/settings.ts';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { startFleet, type TestFleet } from './fleet.ts';
import { SOCKETS_ENVIRONMENT } from './listen.ts';
import { RestClient } from './rest-client.ts';

export const TEST_KEY = 'a-key-that-only-the-tests-know';

export interface TestServer {
  readonly url: string;
  /** Acts as the account `local`. */
  readonly rest: RestClient;
  readonly dataDir: string;
  readonly app: App;
  /** Makes another account on the running server's data directory, as the admin command does. */
  addAccount(name: string): { readonly accountId: string; readonly key: string; readonly rest: RestClient };
  /** @param ofAccount the owner of the session; default: the account `local` */
  inspect(platform: Platform, sessionId: string, ofAccount?: string): Promise<Inspection>;
  close(): Promise<void>;
}

/** What a service is tested with, unless a test says something else. */
export const DEFAULTS: Environment = {
  RUNCLOUD_PORT: '0',
  ...SOCKETS_ENVIRONMENT,
  RUNCLOUD_API_KEY: TEST_KEY,
  RUNCLOUD_LOG: 'error',
  RUNCLOUD_RATE_LIMIT: 'off',
  RUNCLOUD_CHECK_ANSWERS: '1',
};

/** The same as an edge and a host, for the tests that run with `TESTED_AS=fleet` in their environment. */
async function startFleetServer(environment: Environment, clock: Clock | undefined): Promise<TestServer> {
  return serverOf(await startFleet({ ...DEFAULTS, ...environment }, [{}], clock));
}

/** A fleet of an edge and one host, as its clients see it. */
export function serverOf(fleet: TestFleet): TestServer {
  const [host] = fleet.hosts;
  if (!host) throw new Error('the fleet has no host');
  const { app } = fleet.edge;
  return {
    ...accountsOf(fleet.edge.dataDir, app.url, (owner, ...session) => host.app.inspect(owner, ...session)),
    url: app.url,
    rest: new RestClient(app.url, TEST_KEY),
    dataDir: fleet.edge.dataDir,
    app,
    close: () => fleet.close(),
  };
}

/** Starts the real service in this process, on a free port of the loopback and with a data directory of its own. */
export async function startServer(environment: Environment = {}, clock?: Clock): Promise<TestServer> {
  if (process.env.TESTED_AS === 'fleet') return startFleetServer(environment, clock);
  const dataDir = mkdtempSync(join(tmpdir(), 'runcloud-test-'));
  const settings = readSettings({
    ...DEFAULTS,
    RUNCLOUD_DATA_DIR: dataDir,
    ...environment,
  });
  const app = await startApp(settings, createLogger(settings.logLevel), clock);
  return {
    url: app.url,
    rest: new RestClient(app.url, TEST_KEY),
    dataDir,
    app,
    ...accountsOf(dataDir, app.url, (owner, ...session) => app.inspect(owner, ...session)),
    async close() {
      await app.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The accounts of a running service, by its data directory. */
function accountsOf(dataDir: string, url: string, inspect: App['inspect']): Pick<TestServer, 'addAccount' | 'inspect'> {
  const withStore = <T>(use: (store: Store) => T): T => {
    const store = new Store(databasePath(dataDir));
    try {
      return use(store);
    } finally {
      store.close();
    }
  };
  const accountId = withStore((store) => store.accounts.byName(LOCAL_ACCOUNT)?.id ?? '');
  return {
    addAccount: (name) =>
      withStore((store) => {
        const { account, key } = new Accounts(store, systemClock).create(name);
        return { accountId: account.id, key, rest: new RestClient(url, key) };
      }),
    inspect: (platform, sessionId, ofAccount = accountId) => inspect({ accountId: ofAccount }, platform, sessionId),
  };
}
