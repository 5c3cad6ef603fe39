import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@runcloud/protocol/terms';
import { Accounts } from '../../server/account/accounts.ts';
import { systemClock } from '../../server/flow/clock.ts';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { sessionRow } from '../store/session-rows.ts';
import type { FloodedPeople, FloodKind, FloodOrder } from './flood-order.ts';
import { RestClient } from './rest-client.ts';
import { Program, serverProgram, temporaryDataDir } from './server-process.ts';

const KEY = 'a-key-that-only-the-tests-know';

/** Sessions in a list that is asked for again and again: as many as an answer holds. */
const LISTED = LIMITS.listed.max;

/** The parameters of a flood. */
export interface Flood {
  readonly kind: FloodKind;
  readonly sockets: number;
  readonly people?: FloodedPeople;
}

/** The service in a process of its own, an account that is measured, and others that flood it out of further processes. */
export class FloodedService {
  readonly url: string;
  readonly dataDir: string;
  /** The account that is measured. */
  readonly own: RestClient;
  readonly #server: Program;
  readonly #remove: () => void;
  #floods = 0;

  private constructor(url: string, server: Program, data: ReturnType<typeof temporaryDataDir>) {
    this.url = url;
    this.dataDir = data.path;
    this.own = new RestClient(url, KEY);
    this.#server = server;
    this.#remove = () => data.remove();
  }

  get pid(): number {
    return this.#server.pid;
  }

  static async start(environment: Readonly<Record<string, string | undefined>> = {}): Promise<FloodedService> {
    const data = temporaryDataDir();
    const server = serverProgram(data.path, { RUNCLOUD_API_KEY: KEY, RUNCLOUD_LOG: 'error', ...environment });
    try {
      return new FloodedService(await server.ready(), server, data);
    } catch (error) {
      data.remove();
      throw error;
    }
  }

  /** Runs `measure` beside a flood of another account, which has done nothing before. */
  async beside<T>({ kind, sockets, people }: Flood, measure: () => Promise<T>): Promise<T> {
    const flooding = new RestClient(this.url, this.#keyOfNewAccount(kind === 'lists' ? LISTED : 0));
    const { id } = await flooding.createSession('android');
    const { authorization } = flooding;
    const order: FloodOrder = {
      url: this.url,
      session: `/service/android/${id}`,
      sessionId: id,
      authorization,
      sockets,
      kind,
      ...(people && { people }),
    };
    const flood = new Program('test/support/flood-program.ts', [JSON.stringify(order)], {});
    try {
      while (flood.running && flood.stdout === '') await sleep(10);
      flood.signal('SIGUSR2');
      const measured = await measure();
      if (!flood.running) throw new Error(`the flood of ${kind} ended: ${flood.stderr}`);
      return measured;
    } finally {
      flood.signal('SIGKILL');
      await flood.ended;
      // Its own, and what a flood of creations had not released yet.
      for (const status of ['starting', 'active']) {
        const path = `/service/sessions?limit=200&status=${status}`;
        const { body } = await flooding.call<{ sessions: { id: string }[] }>('GET', path);
        for (const left of body.sessions ?? []) await flooding.releaseSession(left.id);
      }
    }
  }

  async stop(): Promise<void> {
    this.#server.signal('SIGTERM');
    await this.#server.ended;
    this.#remove();
  }

  /** @param sessions that the account had before */
  #keyOfNewAccount(sessions: number): string {
    const store = new Store(databasePath(this.dataDir));
    try {
      const name = `flooding-${++this.#floods}`;
      const { account, key } = new Accounts(store, systemClock).create(name);
      const row = { accountId: account.id, organizationId: account.organizationId, status: 'released' } as const;
      store.atomically(() => {
        for (let count = 0; count < sessions; count++) {
          store.sessions.insert(sessionRow({ ...row, id: `ses_${name}-${count}`, createdAtMs: Date.now() - count }));
        }
      });
      return key;
    } finally {
      store.close();
    }
  }
}
