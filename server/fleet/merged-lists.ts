import type { Usage } from '@runcloud/protocol';
import { randomBase62, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { json } from '../rest/reply.ts';
import type { HttpReply } from '../socket/http.ts';
import type { Ask, KnownHost } from './edge-channels.ts';
import { type HostCalls, textOf } from './host-calls.ts';
import type { GrantedCaller } from './messages.ts';

/** What a list's items have in common. */
interface Item {
  readonly createdAt: string;
}

/** Where a host's part of a list goes on: at the page of `cursor`, behind the item `after`. */
interface Part {
  readonly host: string;
  readonly cursor?: string;
  /** JSON of the last item that was taken of this page. */
  readonly after?: string;
}

interface Rest {
  readonly list: string;
  readonly parts: readonly Part[];
  readonly untilMs: number;
}

interface ListRoute {
  readonly query: {
    readonly schema: { readonly properties: Readonly<Record<string, { readonly default?: unknown }>> };
    readonly invalid: ConstructorParameters<typeof ServiceError>[0];
  };
}

const OK = 200;
/** How long a cursor is valid, and how many there are at once. */
const CURSOR_MS = 600_000;
const CURSORS_MAX = 10_000;
const CURSOR_CHARACTERS = 38;

/** Answers for all hosts together: those that can be reached. */
export class MergedLists {
  readonly #calls: HostCalls;
  readonly #clock: Clock;
  /** What remains of each list, by its cursor: the oldest one first. */
  readonly #rests = new Map<string, Rest>();

  constructor(calls: HostCalls, clock: Clock) {
    this.#calls = calls;
    this.#clock = clock;
  }

  /** A page of a list, newest first. */
  async page(
    name: string,
    route: ListRoute,
    hosts: readonly KnownHost[],
    head: Ask['head'],
    caller: GrantedCaller,
  ): Promise<HttpReply> {
    const query = new URLSearchParams(head.query);
    const cursor = query.get('cursor');
    query.delete('cursor');
    const limit = Number(query.get('limit') ?? route.query.schema.properties.limit?.default);
    const narrowed = new URLSearchParams(query);
    narrowed.delete('limit');
    narrowed.sort();
    const list = `${name} ${caller.principal.accountId} ${narrowed}`;
    const parts = cursor === null ? hosts.map(({ name: host }): Part => ({ host })) : this.#open(list, cursor, route);
    const answers = await Promise.all(
      parts.map(async (part) => {
        const host = hosts.find((each) => each.name === part.host);
        if (!host) return { part, items: [] as Item[], next: undefined, refusal: undefined };
        const asked = new URLSearchParams(query);
        if (part.cursor !== undefined) asked.set('cursor', part.cursor);
        const reply = await this.#calls.call(host, { ...head, method: 'GET' }, { caller, query: asked.toString() });
        if (reply.status !== OK) return { part, items: [], next: undefined, refusal: reply };
        const read = JSON.parse(await textOf(reply)) as Record<string, Item[]> & { readonly next?: string };
        const all = read[name] ?? [];
        const taken = part.after === undefined ? -1 : all.findIndex((item) => keyOf(item) === part.after);
        return { part, items: all.slice(taken + 1), next: read.next, refusal: undefined };
      }),
    );
    const refused = answers.find(({ refusal }) => refusal !== undefined)?.refusal;
    if (refused) return refused;
    const merged = answers
      .flatMap(({ items }, from) => items.map((item) => ({ item, from })))
      .sort((one, other) =>
        one.item.createdAt < other.item.createdAt ? 1 : one.item.createdAt > other.item.createdAt ? -1 : 0,
      );
    const page = merged.slice(0, limit);
    const rest = answers.flatMap(({ part, items, next }, from): Part[] => {
      const count = page.filter((each) => each.from === from).length;
      if (count < items.length) {
        const last = items[count - 1];
        return [last ? { ...part, after: keyOf(last) } : part];
      }
      return next === undefined ? [] : [{ host: part.host, cursor: next }];
    });
    const next = rest.length === 0 ? {} : { next: this.#seal(list, rest) };
    return json(OK, { [name]: page.map(({ item }) => item), ...next });
  }

  /** The sum of what the account has used on each host. */
  async usage(hosts: readonly KnownHost[], head: Ask['head'], caller: GrantedCaller): Promise<HttpReply> {
    const replies = await Promise.all(
      hosts.map((host) => this.#calls.call(host, { ...head, method: 'GET' }, { caller })),
    );
    const refused = replies.find(({ status }) => status !== OK);
    if (refused) return refused;
    const texts = await Promise.all(replies.map(textOf));
    return json(OK, texts.map((text) => JSON.parse(text) as Usage).reduce(addUsage));
  }

  #seal(list: string, parts: readonly Part[]): string {
    const nowMs = this.#clock.monotonicMs();
    for (const [cursor, { untilMs }] of this.#rests) {
      if (untilMs > nowMs && this.#rests.size < CURSORS_MAX) break;
      this.#rests.delete(cursor);
    }
    const cursor = randomBase62(CURSOR_CHARACTERS);
    this.#rests.set(cursor, { list, parts, untilMs: nowMs + CURSOR_MS });
    return cursor;
  }

  #open(list: string, cursor: string, { query: { invalid } }: ListRoute): readonly Part[] {
    const rest = this.#rests.get(cursor);
    if (rest?.list === list && rest.untilMs > this.#clock.monotonicMs()) return rest.parts;
    throw new ServiceError(invalid, '"cursor" must be the "next" of an earlier answer of this very list.');
  }
}

/** An item's identity in its list: what never changes of it. */
const keyOf = (item: Item): string => {
  const { id, name } = item as Item & { readonly id?: string; readonly name?: string };
  return `${item.createdAt} ${id ?? name}`;
};

function addUsage(one: Usage, other: Usage): Usage {
  const counts = (a: Usage['total'], b: Usage['total']) => ({
    sessions: a.sessions + b.sessions,
    sessionMinutes: Math.round((a.sessionMinutes + b.sessionMinutes) * 10) / 10,
    recordings: a.recordings + b.recordings,
  });
  return {
    activeSessions: one.activeSessions + other.activeSessions,
    total: counts(one.total, other.total),
    days: one.days.map((day) => {
      const same = other.days.find(({ date }) => date === day.date);
      return same ? { date: day.date, ...counts(day, same) } : day;
    }),
  };
}
