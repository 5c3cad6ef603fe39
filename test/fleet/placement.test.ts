import t from 'tap';
import type { EdgeChannels, KnownHost } from '../../server/fleet/edge-channels.ts';
import type { HostCalls } from '../../server/fleet/host-calls.ts';
import { Placement } from '../../server/fleet/placement.ts';
import type { HttpReply } from '../../server/socket/http.ts';

const HEAD = {
  kind: 'request',
  method: 'POST',
  path: '/service/sessions',
  query: '',
  headers: {},
  address: '',
} as never;
const CALLER = { principal: { accountId: 'acc_1' } } as never;
const BODY = Buffer.from('{"platform":"ios"}');

/** Hosts by their numbers of free iPhones, as the edge was told before anything was created. */
function stage(free: readonly number[]) {
  const hosts = free.map((count, index) => ({
    name: `host-${index}`,
    presence: { devices: [{ platform: 'ios', model: 'iPhone', osVersion: '18', free: count, total: count }] },
  })) as unknown as KnownHost[];
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const left = new Map(hosts.map(({ name }, index) => [name, free[index] ?? 0]));
  const call = ({ name }: KnownHost): Promise<HttpReply> => {
    asked.push(name);
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return new Promise((resolve) => answers.push(() => resolve({ status: count > 0 ? 201 : 503, body: '' })));
  };
  const placement = new Placement({ hosts } as unknown as EdgeChannels, { call } as unknown as HostCalls, () => false);
  const create = () => placement.create(HEAD, CALLER, BODY);
  const answerAll = async () => {
    while (answers.length > 0) {
      for (const answer of answers.splice(0)) answer();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { hosts, asked, create, answerAll };
}

const countOf = (names: readonly string[]) => names.map((name) => names.filter((each) => each === name).length);

t.test('sessions that are created together are spread over the hosts before any of these has answered', async (t) => {
  const { asked, create, answerAll } = stage(new Array(10).fill(5));
  const replies = Promise.all(Array.from({ length: 40 }, create));
  await new Promise((resolve) => setImmediate(resolve));
  t.same(countOf(asked), new Array(40).fill(4));
  await answerAll();
  t.ok((await replies).every(({ status }) => status === 201));
  t.equal(asked.length, 40, 'no host was asked for what it has not');
});

t.test('the host with the most free devices comes first, and the others follow while it has none', async (t) => {
  const { hosts, asked, create, answerAll } = stage([1, 3, 2]);
  const replies = Promise.all(Array.from({ length: 7 }, create));
  await new Promise((resolve) => setImmediate(resolve));
  t.same(asked.slice(0, 6).sort(), ['host-0', 'host-1', 'host-1', 'host-1', 'host-2', 'host-2']);
  t.equal(asked[0], 'host-1');
  await answerAll();
  const statuses = (await replies).map(({ status }) => status);
  t.same(statuses.sort(), [201, 201, 201, 201, 201, 201, 503]);
  t.equal(new Set(asked.slice(6)).size, hosts.length, 'the last one was refused by each of them');
});
