import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ROUTES, type RouteName, type SessionRecord } from '@runcloud/protocol';
import type { Test } from 'tap';
import { iosPackage } from './ios-package.ts';
import { askAs, outcomeFor, type TenantAnswer, tenantAsks } from './tenant-asks.ts';
import { type Caller, callersOf, type Ids, type Tenant, type Tenants, unknownIds } from './tenants.ts';

/** Judges each route with each kind of credential: nothing of an account is told to another one, or changed by it. */

/** Routes after which the caller's session or credential is no more. */
const LAST: readonly RouteName[] = ['deleteSession', 'revokeAll'];

/** What is read of an account to see that nothing of it has changed, without an effect of its own. */
const readsOf = ({ ids, session, sibling }: Tenant): readonly string[] => [
  `/service/sessions/${session.id}`,
  `/service/sessions/${sibling.id}`,
  '/service/sessions',
  `/service/sessions/${session.id}/viewer-links`,
  `/service/ios/${session.id}/recordings`,
  `/service/ios/${sibling.id}/recordings`,
  `/service/ios/${session.id}/recordings/${ids.recordingId}`,
  `/service/ios/${sibling.id}/recordings/${ids.runningId}`,
  `/service/ios/${session.id}/history`,
  `/service/ios/${sibling.id}/history`,
  `/service/ios/${session.id}/interactions/${ids.requestId}`,
  '/service/assets',
  '/service/snapshots',
  '/service/account',
  '/service/account/keys',
  '/service/account/tokens',
];

/** What of it changes with each call of the owner's, or by itself. */
const VOLATILE: ReadonlySet<string> = new Set(['lastUsedAt', 'expiresAt', 'control']);

/** When its sessions end, in milliseconds since the epoch: a call of another account must not prolong them. */
async function endsOf({ rest, session, sibling }: Tenant): Promise<readonly number[]> {
  const records = [session, sibling].map(({ id }) => rest.call<SessionRecord>('GET', `/service/sessions/${id}`));
  return (await Promise.all(records)).map(({ body }) => Date.parse(body.expiresAt));
}

/** The told time of an end is made of two clocks, and differs by as much each time. */
const CLOCKS_MS = 20;
/** What is prolonged after this time ends so much later. */
const PAUSE_MS = 60;

type State = Readonly<Record<string, unknown>>;

/** All that the account has, as its owner sees it, and what its devices show. @param but without what concerns this session */
export async function stateOf({ server }: Tenants, tenant: Tenant, but?: SessionRecord): Promise<State> {
  const state: Record<string, unknown> = {};
  const isWanted = (path: string) => but === undefined || !(path.includes(but.id) || path === '/service/sessions');
  for (const path of readsOf(tenant).filter(isWanted)) {
    const response = await tenant.rest.fetch(path);
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
    state[path] = JSON.parse(await response.text(), (key, value) => (VOLATILE.has(key) ? undefined : value));
  }
  for (const { id } of [tenant.session, tenant.sibling].filter((each) => each !== but)) {
    state[`device of ${id}`] = await server.inspect('ios', id, tenant.accountId);
  }
  return state;
}

/** What of a state is otherwise. */
export function changesOf(before: State, after: State): readonly string[] {
  return Object.keys(before).filter((what) => !isDeepStrictEqual(before[what], after[what]));
}

/** The marks of `tenant` that occur in bytes, but for those that `known` has already. */
export const marksIn = ({ marks }: Tenant, bytes: Buffer, known = ''): readonly string[] =>
  Object.entries(marks).flatMap(([what, text]) => (bytes.includes(text) && !known.includes(text) ? [what] : []));

/** What a link to watch is for. */
const WATCHED: ReadonlySet<string> = new Set(['typed']);

const bytesOf = ({ headers, body }: TenantAnswer): Buffer => Buffer.concat([Buffer.from(headers.join('\n')), body]);

/** An answer without what is new each time, and without the ids that were asked for. */
function normalised({ status, headers, body }: TenantAnswer, ids: Ids): unknown {
  let text = [
    ...headers.filter((header) => !/^(?:date|content-length):/i.test(header)).sort(),
    body.toString('latin1'),
  ].join('\n');
  for (const [name, id] of Object.entries(ids)) if (id !== '') text = text.replaceAll(id, `<${name}>`);
  return {
    status,
    text: text
      .replaceAll(/req_\w{22}/g, '<request>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/"durationMs":\d+/g, '"durationMs":0'),
  };
}

const names = (text: string, ids: Ids): boolean => Object.values(ids).some((id) => id !== '' && text.includes(id));

export async function judgeRoutes(t: Test, tenants: Tenants): Promise<void> {
  const { server, owner, stranger } = tenants;
  const asks = tenantAsks(new Uint8Array(await iosPackage()));
  const [own, ...others] = callersOf(tenants);
  if (!own) throw new Error('there is no owner');
  const unknown = unknownIds(owner.ids);
  const all = Object.keys(ROUTES) as RouteName[];
  const order = [...all.filter((name) => !LAST.includes(name)), ...LAST];
  t.strictSame(Object.keys(asks).sort(), [...all].sort(), 'each route is asked');

  const before = await stateOf(tenants, owner);
  for (const name of order) {
    await t.test(`${name}, of others`, async (t) => {
      const ends = await endsOf(owner);
      await sleep(PAUSE_MS);
      for (const [index, ask] of asks[name].entries()) {
        for (const caller of others) {
          const what = `${caller.name}${index === 0 ? '' : `, ${index + 1}`}`;
          const answer = await askAs(server.url, name, ask, caller, owner.ids);
          const { status, code } = answer;
          t.strictSame({ status, ...(code !== undefined && { code }) }, outcomeFor(ROUTES[name], ask, caller), what);
          const told = marksIn(owner, bytesOf(answer), answer.sent);
          const foreign = told.filter((mark) => caller.kind !== 'watcher' || !WATCHED.has(mark));
          t.strictSame(foreign, [], `${what} is told nothing of the owner's`);
          if (name === 'createSession' && status === 201) await giveBack(server.url, caller, answer);
          if (!isRefused(answer) || !names(answer.sent, owner.ids)) continue;
          const none = await askAs(server.url, name, ask, caller, unknown);
          t.strictSame(normalised(answer, owner.ids), normalised(none, unknown), `${what}: as of what never was`);
        }
      }
      // What a token or a link opens is activity of its own session.
      const isOpened = asks[name].some(({ outcomes }) => outcomes?.watcher);
      const later = (await endsOf(owner)).map((end, index) => end - (ends[index] ?? 0));
      t.ok(isOpened || later.every((ms) => ms < CLOCKS_MS), `the owner's sessions are not prolonged: ${later}`);
      // What a read has changed is found after the next route that is no read.
      if (ROUTES[name].method === 'GET') return;
      t.strictSame(changesOf(before, await stateOf(tenants, owner)), [], "the owner's state is the same");
    });
  }

  await t.test('the same calls, of the owner', async (t) => {
    const seen = new Set<string>();
    const isDeletion = (name: RouteName) => ROUTES[name].method === 'DELETE';
    for (const name of [...order.filter((each) => !isDeletion(each)), ...order.filter(isDeletion)]) {
      if (LAST.includes(name)) continue;
      await askOwn(name);
    }
    for (const name of LAST) await askOwn(name);
    t.strictSame(
      Object.keys(owner.marks).filter((mark) => !seen.has(mark)),
      [],
      'all that others are not told is told to the owner',
    );

    async function askOwn(name: RouteName): Promise<void> {
      for (const ask of asks[name]) {
        const answer = await askAs(server.url, name, ask, own as Caller, owner.ids);
        const { status, code } = answer;
        const outcome = { status, ...(code !== undefined && { code }) };
        t.strictSame(outcome, outcomeFor(ROUTES[name], ask, own as Caller), name);
        for (const mark of marksIn(owner, bytesOf(answer))) seen.add(mark);
        t.strictSame(marksIn(stranger, bytesOf(answer), answer.sent), [], `${name} tells nothing of the stranger's`);
      }
    }
  });
}

const isRefused = ({ status, code }: TenantAnswer): boolean => status >= 400 || code !== undefined;

/** Ends what a caller of its own has made. */
async function giveBack(url: string, { bearer = '' }: Caller, { body }: TenantAnswer): Promise<void> {
  const { id } = JSON.parse(body.toString()) as { readonly id: string };
  await fetch(`${url}/service/sessions/${id}`, { method: 'DELETE', headers: { Authorization: `Bearer ${bearer}` } });
}
