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
  inspect(platform: Platform, sessionId: string): Promise<Inspection>;
  close(): Promise<void>;
}

/** Starts the real service in this process, on a free port of the loopback and with a data directory of its own. */
export async function startServer(environment: Environment = {}, clock?: Clock): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'runcloud-test-'));
  const settings = readSettings({
    RUNCLOUD_PORT: '0',
    ...SOCKETS_ENVIRONMENT,
    RUNCLOUD_DATA_DIR: dataDir,
    RUNCLOUD_API_KEY: TEST_KEY,
    RUNCLOUD_LOG: 'error',
    RUNCLOUD_RATE_LIMIT: 'off',
    RUNCLOUD_CHECK_ANSWERS: '1',
    ...environment,
  });
  const app = await startApp(settings, createLogger(settings.logLevel), clock);
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
    url: app.url,
    rest: new RestClient(app.url, TEST_KEY),
    dataDir,
    app,
    addAccount: (name) =>
      withStore((store) => {
        const { account, key } = new Accounts(store, systemClock).create(name);
        return { accountId: account.id, key, rest: new RestClient(app.url, key) };
      }),
    inspect: (platform, sessionId) => app.inspect({ accountId }, platform, sessionId),
    async close() {
      await app.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
