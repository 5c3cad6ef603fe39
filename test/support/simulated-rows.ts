import type { Clock } from '../../server/flow/clock.ts';
import type { RowsSince, SharedRows } from '../../server/replica/shared-rows.ts';
import type { RowChange, RowContent } from '../../server/store/row-changes.ts';
import { RowsChanged } from '../../server/store/rows-changed.ts';

interface Kept extends RowContent {
  readonly revision: number;
  readonly writeId: string;
}

const DELAY_MS_MAX = 60;
/** Of the calls, where it is unruly: those that never arrive, and those whose answer is lost. */
const UNHEARD_SHARE = 0.05;
const UNANSWERED_SHARE = 0.05;

/** The database of several processes, in memory: it is slow, loses calls and answers, and is away for a while, by the numbers of a seed. */
export class SimulatedRows {
  readonly rows = new Map<string, Kept>();
  isUnruly = true;
  isAway = false;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #isCareless: boolean;
  #revision = 0;

  /** @param isCareless writes are kept, whatever they are based on */
  constructor(clock: Clock, random: () => number, isCareless: boolean) {
    this.#clock = clock;
    this.#random = random;
    this.#isCareless = isCareless;
  }

  /** One process's way to it. */
  connect(): SharedRows {
    return {
      begin: async () => undefined,
      name: async () => 'simulated',
      begun: async () => undefined,
      close: async () => undefined,
      since: (revision) => this.#call(() => this.#since(revision)),
      write: (changes, base, id) => this.#call(() => this.#write(changes, base, id)),
    };
  }

  #since(revision: number): RowsSince {
    const rows = [...this.rows.values()]
      .filter((row) => row.revision > revision)
      .sort((one, other) => one.revision - other.revision);
    return { revision: this.#revision, rows, isWhole: false };
  }

  #write(changes: readonly RowChange[], base: number, id: string): number {
    const same = (row: Kept | undefined, content: RowChange['before']) =>
      JSON.stringify(row?.content ?? null) === JSON.stringify(content);
    for (const change of changes) {
      const row = this.rows.get(nameOf(change));
      const isUnchanged = JSON.stringify(change.before) === JSON.stringify(change.after);
      const mayBeThere = isUnchanged || row?.writeId === id;
      if (this.#isCareless || (mayBeThere && same(row, change.after))) continue;
      if (same(row, change.before) && (row?.revision ?? 0) <= base) continue;
      throw new RowsChanged();
    }
    const revision = this.#revision + 1;
    const after = new Map(this.rows);
    for (const { table, key, after: content } of changes)
      after.set(`${table} ${key}`, { table, key, content, revision, writeId: id });
    for (const column of ['name', 'email']) {
      const values = [...after.values()].flatMap(({ table, content }) => {
        const value = table === 'account' || table === 'password' ? content?.[column] : undefined;
        return value === undefined ? [] : [`${table} ${value}`];
      });
      if (new Set(values).size !== values.length) throw new RowsChanged();
    }
    this.#revision = revision;
    for (const change of changes) this.rows.set(nameOf(change), after.get(nameOf(change)) as Kept);
    return revision;
  }

  async #call<T>(task: () => T): Promise<T> {
    await this.#pass();
    const chance = this.isUnruly ? this.#random() : 1;
    if (this.isAway || chance < UNHEARD_SHARE) throw new Error('not heard');
    const outcome = task();
    await this.#pass();
    if (chance < UNHEARD_SHARE + UNANSWERED_SHARE) throw new Error('no answer');
    return outcome;
  }

  #pass(): Promise<void> {
    return new Promise((resolve) => void this.#clock.schedule(Math.ceil(this.#random() * DELAY_MS_MAX), resolve));
  }
}

const nameOf = ({ table, key }: { table: string; key: string }) => `${table} ${key}`;
