import { createHash } from 'node:crypto';
import type { Usage } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import type { Principal } from '../account/authenticator.ts';
import { json } from '../rest/reply.ts';
import type { HttpReply } from '../socket/http.ts';
import type { Ask, KnownHost } from './edge-channels.ts';
import { type HostCalls, textOf } from './host-calls.ts';
import type { GrantedCaller } from './messages.ts';
import { placeOf } from './subjects.ts';

/** What a list's items have in common. */
interface Item {
  readonly createdAt: string;
}

/** Where a host's part of a list goes on: at the page of `cursor`, behind the item `after`. */
interface Part {
  /** The host's mark; see `placeOf`. */
  readonly place: string;
  readonly cursor?: string;
  /** `markOf` the last item that was taken of this page. */
  readonly after?: string;
}

/** A page of what hosts that are away have told of. */
export type AbsentPage = (query: string, owner: Principal) => Promise<HttpReply>;

interface ListRoute {
  readonly query: {
    readonly schema: { readonly properties: Readonly<Record<string, { readonly default?: unknown }>> };
    readonly invalid: ConstructorParameters<typeof ServiceError>[0];
  };
}

const OK = 200;
const MARK_CHARACTERS = 11;
/** In the place of a host's mark: the part that `AbsentPage` answers. */
const ABSENT = '------';
const CURSOR = /^([\w-]{11})((?:(?:[0-9A-Za-z]{6}|-{6})(?:n|a[\w-]{11}|c[\w-]{38}|b[\w-]{49}))+)$/;
const PART = /([0-9A-Za-z]{6}|-{6})(?:n|a([\w-]{11})|c([\w-]{38})|b([\w-]{11})([\w-]{38}))/g;

/** Answers for all hosts together: those that can be reached. */
export class MergedLists {
  readonly #calls: HostCalls;
  readonly #absent: Readonly<Record<string, AbsentPage>>;

  /** @param absent for lists of which hosts tell while they are here */
  constructor(calls: HostCalls, absent: Readonly<Record<string, AbsentPage>> = {}) {
    this.#calls = calls;
    this.#absent = absent;
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
    const absent = this.#absent[name];
    const places = [...hosts.map((host) => placeOf(host.name)), ...(absent ? [ABSENT] : [])];
    const parts = cursor === null ? places.map((place): Part => ({ place })) : open(list, cursor, route);
    const answers = await Promise.all(
      parts.map(async (part) => {
        const asked = new URLSearchParams(query);
        if (part.cursor !== undefined) asked.set('cursor', part.cursor);
        const host = hosts.find((each) => placeOf(each.name) === part.place);
        const reply = host
          ? await this.#calls.call(host, { ...head, method: 'GET' }, { caller, query: asked.toString() })
          : part.place === ABSENT && (await absent?.(asked.toString(), caller.principal));
        if (!reply) return { part, items: [] as Item[], next: undefined, refusal: undefined };
        if (reply.status !== OK) return { part, items: [], next: undefined, refusal: reply };
        const read = JSON.parse(await textOf(reply)) as Record<string, Item[]> & { readonly next?: string };
        const all = read[name] ?? [];
        const taken = part.after === undefined ? -1 : all.findIndex((item) => markOf(item) === part.after);
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
        return [last ? { ...part, after: markOf(last) } : part];
      }
      return next === undefined ? [] : [{ place: part.place, cursor: next }];
    });
    const next = rest.length === 0 ? {} : { next: seal(list, rest) };
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
}

/**
 * A cursor that any edge can open. It tells nothing that its holder has not seen, and opens nothing that the holder could not ask for:
 * each host seals its own part.
 */
const seal = (list: string, parts: readonly Part[]): string =>
  shortHash(list) +
  parts
    .map(({ place, after, cursor }) => {
      const kind = after === undefined ? (cursor === undefined ? 'n' : 'c') : cursor === undefined ? 'a' : 'b';
      return `${place}${kind}${after ?? ''}${cursor ?? ''}`;
    })
    .join('');

function open(list: string, text: string, { query: { invalid } }: ListRoute): readonly Part[] {
  const [, hash, parts = ''] = CURSOR.exec(text) ?? [];
  const read = [...parts.matchAll(PART)].map(([, place = '', a, c, ba, bc]): Part => {
    const after = a ?? ba;
    const cursor = c ?? bc;
    return { place, ...(after !== undefined && { after }), ...(cursor !== undefined && { cursor }) };
  });
  const isEachOnce = new Set(read.map(({ place }) => place)).size === read.length;
  if (hash === shortHash(list) && isEachOnce) return read;
  throw new ServiceError(invalid, '"cursor" must be the "next" of an earlier answer of this very list.');
}

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, MARK_CHARACTERS);

/** An item's identity in its list: what never changes of it. */
const markOf = (item: Item): string => {
  const { id, name } = item as Item & { readonly id?: string; readonly name?: string };
  return shortHash(`${item.createdAt} ${id ?? name}`);
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
