import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Accounts } from '../../server/account/accounts.ts';
import { ApiKeys } from '../../server/account/api-keys.ts';
import { Authenticator } from '../../server/account/authenticator.ts';
import { Replica } from '../../server/replica/replica.ts';
import type { RowChanges } from '../../server/store/row-changes.ts';
import { Store } from '../../server/store/store.ts';
import { seeded } from '../conformance/random.ts';
import { settled } from './fake-clock.ts';
import { Schedule } from './simulated-network.ts';
import { SimulatedRows } from './simulated-rows.ts';

export interface ReplicaSimulationOptions {
  readonly seed: number;
  /** The database keeps each write, whatever it is based on. */
  readonly isCareless?: boolean;
}

const PROCESSES = 3;
const RUN_MS = 20_000;
/** Longer than anything is tried for. */
const REST_MS = 10_000;
const ACT_MS_MAX = 120;
const AWAY_MS_MAX = 6_000;
const LINKS = 12;
const COARSE_MS = 1_000;
const NAMES = 4;

interface Process {
  readonly store: Store;
  readonly changes: RowChanges;
  readonly replica: Replica;
  readonly accounts: Accounts;
  readonly authenticator: Authenticator;
}

interface MadeKey {
  readonly key: string;
  readonly keyId: string;
  isRevoked: boolean;
}

/**
 * Three processes that share accounts act on them at once, over a database that is slow, loses calls and answers, and is away
 * for a while. Gives the promises that were not kept.
 */
export async function simulateReplicas(options: ReplicaSimulationOptions): Promise<readonly string[]> {
  const simulation = new Simulation(options);
  try {
    return await simulation.run();
  } finally {
    await simulation.close();
  }
}

let template: string | undefined;

/** A new database is a copy of an empty one, which is faster than to make it. */
function emptyDatabase(path: string): void {
  if (template === undefined) {
    template = join(mkdtempSync(join(tmpdir(), 'runcloud-template-')), 'empty.db');
    new Store(template).close();
    process.once('exit', () => rmSync(join(template as string, '..'), { recursive: true, force: true }));
  }
  copyFileSync(template, path);
}

class Simulation {
  readonly #schedule = new Schedule();
  readonly #random: () => number;
  readonly #rows: SimulatedRows;
  readonly #folder = mkdtempSync(join(tmpdir(), 'runcloud-replicas-'));
  readonly #processes: Process[] = [];
  readonly #findings: string[] = [];
  readonly #keys: MadeKey[] = [];
  /** Keys that were revoked with all that was made with them. */
  readonly #cleared: string[] = [];
  /** Who got each link. */
  readonly #takers = new Map<string, number>();
  /** The account that each name was given to. */
  readonly #named = new Map<string, string[]>();
  #count = 0;

  constructor({ seed, isCareless = false }: ReplicaSimulationOptions) {
    this.#random = seeded(seed);
    for (let count = 0; count < 20; count++) this.#random();
    this.#rows = new SimulatedRows(this.#schedule, this.#random, isCareless);
  }

  async run(): Promise<readonly string[]> {
    const begun = this.#begin();
    await settled();
    await this.#schedule.runUntil(2_000);
    await begun;
    for (const process of this.#processes) this.#act(process);
    this.#disturb();
    await this.#schedule.runUntil(RUN_MS);
    this.#rows.isUnruly = false;
    this.#rows.isAway = false;
    await this.#schedule.runUntil(RUN_MS + REST_MS);
    this.#judge();
    return this.#findings;
  }

  async close(): Promise<void> {
    this.#rows.isUnruly = false;
    const closed = Promise.all(
      this.#processes.map(async ({ store, replica, authenticator }) => {
        authenticator.close();
        await replica.close();
        store.close();
      }),
    );
    await settled();
    await this.#schedule.runUntil(RUN_MS + 2 * REST_MS);
    await closed;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #begin(): Promise<void> {
    this.#rows.isUnruly = false;
    for (let index = 0; index < PROCESSES; index++) {
      const path = join(this.#folder, `${index}.db`);
      emptyDatabase(path);
      const store = new Store(path);
      const changes = store.openChanges();
      const clock = this.#schedule;
      const onFault = (error: unknown) => void this.#findings.push(`a fault: ${String(error)}`);
      const parts = { changes, clock, onFault, onReached: () => undefined, onChanged: () => undefined };
      const replica = new Replica({ ...parts, rows: this.#rows.connect() });
      await replica.begin();
      store.replicate(replica);
      const accounts = new Accounts(store, clock);
      const authenticator = new Authenticator({ store, clock, onError: onFault });
      this.#processes.push({ store, changes, replica, accounts, authenticator });
      if (index === 0) await store.commit(() => this.#prepare(store, accounts));
    }
    this.#rows.isUnruly = true;
  }

  #prepare(store: Store, accounts: Accounts): void {
    const { id: accountId } = accounts.create('first').account;
    for (let link = 0; link < LINKS; link++) {
      const createdAtMs = this.#schedule.wallMs();
      const row = { purpose: 'sign-in', accountId, createdAtMs, expiresAtMs: createdAtMs + 1e9 } as const;
      store.oneTimeLinks.insert({ ...row, digest: String(link).padStart(64, '0') });
    }
  }

  #act(process: Process): void {
    this.#schedule.schedule(Math.floor(this.#random() * ACT_MS_MAX), () => {
      if (!this.#rows.isUnruly) return;
      this.#do(process).catch((error) => {
        // What is refused has no effect; the judge sees whether that is so.
        if (
          !/store_unavailable|already|The service|no (?:such|API key)|authentication_required|rate_limited/i.test(
            `${error.code} ${error.message}`,
          )
        ) {
          this.#findings.push(`refused by ${error.message}`);
        }
      });
      this.#act(process);
    });
  }

  async #do({ store, accounts }: Process): Promise<void> {
    const chance = this.#random();
    const made = this.#keys[Math.floor(this.#random() * this.#keys.length)];
    const apiKeys = new ApiKeys(store, this.#schedule);
    const { id: accountId } = accounts.named('first');
    if (chance < 0.15) {
      if (!made) return;
      // A thief makes another key, where nobody has heard yet that the first one is revoked.
      const name = `key-${this.#count++}`;
      const { key, id: keyId } = await store.commit(() => apiKeys.create({ accountId, keyId: made.keyId }, { name }));
      this.#keys.push({ key, keyId, isRevoked: false });
    } else if (chance < 0.25) {
      if (!made) return;
      await store.commit(() => apiKeys.revoke({ accountId }, made.keyId, true));
      made.isRevoked = true;
      this.#cleared.push(made.keyId);
    } else if (chance < 0.4) {
      const name = `key-${this.#count++}`;
      const { key, keyId } = await store.commit(() => accounts.createKey('first', name));
      this.#keys.push({ key, keyId, isRevoked: false });
    } else if (chance < 0.6) {
      if (!made) return;
      await store.commit(() => accounts.revokeKey(made.keyId));
      made.isRevoked = true;
    } else if (chance < 0.8) {
      const digest = String(Math.floor(this.#random() * LINKS)).padStart(64, '0');
      // Two who take it at the same time write the same.
      const atMs = Math.floor(this.#schedule.wallMs() / COARSE_MS) * COARSE_MS;
      const taken = await store.commit(() => store.oneTimeLinks.take(digest, 'sign-in', atMs));
      if (taken) this.#takers.set(digest, (this.#takers.get(digest) ?? 0) + 1);
    } else if (chance < 0.9) {
      const name = `name-${Math.floor(this.#random() * NAMES)}`;
      const { account } = await store.commit(() => accounts.create(name));
      this.#named.set(name, [...(this.#named.get(name) ?? []), account.id]);
    } else {
      // What nobody waits for.
      const [first] = store.keys.list(accounts.named('first').id);
      if (first) store.attempt(() => store.keys.markUsed([{ keyId: first.id, atMs: this.#schedule.wallMs() }]));
    }
  }

  #disturb(): void {
    this.#schedule.schedule(Math.floor(this.#random() * 2 * AWAY_MS_MAX), () => {
      this.#rows.isAway = true;
      this.#schedule.schedule(Math.floor(this.#random() * AWAY_MS_MAX), () => {
        this.#rows.isAway = false;
        if (this.#rows.isUnruly) this.#disturb();
      });
    });
  }

  #judge(): void {
    const kept = new Map([...this.#rows.rows.values()].map(({ table, key, content }) => [`${table} ${key}`, content]));
    const there = [...kept]
      .flatMap(([name, content]) => (content ? [`${name} ${JSON.stringify(content)}`] : []))
      .sort();
    for (const [index, { changes, authenticator, replica }] of this.#processes.entries()) {
      const here = changes.all().map(({ table, key, content }) => `${table} ${key} ${JSON.stringify(content)}`);
      if (JSON.stringify(here.sort()) !== JSON.stringify(there)) this.#findings.push(`process ${index} differs`);
      if (!replica.isTrusted) this.#findings.push(`process ${index} has given up`);
      for (const { key, keyId } of this.#keys) {
        const isGood = kept.get(`api_key ${keyId}`)?.revoked_at_ms === null;
        const isTaken = authenticator.authenticate(`Bearer ${key}`) !== undefined;
        if (isGood !== isTaken) this.#findings.push(`${keyId} is ${isTaken ? 'taken' : 'refused'} at process ${index}`);
      }
    }
    for (const content of kept.values()) {
      const maker = String(content?.minted_by);
      if (content?.revoked_at_ms === null && this.#cleared.includes(maker)) {
        this.#findings.push(`${content.id} was made with ${maker}, which was revoked with all of its keys`);
      }
    }
    for (const { keyId, isRevoked } of this.#keys) {
      const row = kept.get(`api_key ${keyId}`);
      if (!row) this.#findings.push(`${keyId} was acknowledged and is gone`);
      else if (isRevoked && row.revoked_at_ms === null) this.#findings.push(`${keyId} was revoked and is good`);
    }
    for (const [digest, times] of this.#takers) {
      if (times > 1) this.#findings.push(`the link ${Number(digest)} was taken ${times} times`);
    }
    for (const [name, ids] of this.#named) {
      const [id = ''] = ids;
      if (ids.length > 1 || kept.get(`account ${id}`)?.name !== name) this.#findings.push(`${name} is ${ids}`);
    }
  }
}
