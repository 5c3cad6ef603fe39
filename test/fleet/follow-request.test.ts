import type { HostList } from '@runcloud/protocol';
import t from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { startFleet } from '../support/fleet.ts';
import type { KeptLine } from '../support/kept-lines.ts';
import { withoutNats } from '../support/nats-server.ts';
import { readMetrics } from '../support/prometheus.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { until } from '../support/until.ts';

/** One id is looked for in the logs of an edge and its host, as an operator does. */

const ENVIRONMENT = {
  RUNCLOUD_PORT: '0',
  RUNCLOUD_API_KEY: TEST_KEY,
  RUNCLOUD_LOG: 'debug',
  RUNCLOUD_DEVICES: 'virtual-ios:2',
};
const TAP = { action: 'tap', x: 0.5, y: 0.5 };
/** It takes longer than it may. */
const LATE = { action: 'swipe', from: { x: 0.4, y: 0.4 }, to: { x: 0.6, y: 0.4 }, durationMs: 5_000, timeoutMs: 100 };

const isAbove = ({ level }: KeptLine) => level !== 'debug';

t.test('one id finds a request in the logs of edge and host', { skip: withoutNats() }, async (t) => {
  const logs: Readonly<Record<string, KeptLine[]>> = { edge: [], 'host-1': [] };
  const fleet = await startFleet(ENVIRONMENT, [{}], undefined, (member) => ({
    write: (line) => void logs[member]?.push(JSON.parse(line) as KeptLine),
  }));
  t.teardown(() => fleet.close());
  const { url } = fleet.edge.app;
  const rest = new RestClient(url, TEST_KEY);
  /** Every line that has the id, at the edge and at its host. */
  const find = (id: unknown) => {
    const having = (member: string) => (logs[member] ?? []).filter((line) => Object.values(line).includes(id));
    return { edge: having('edge'), host: having('host-1') };
  };
  const idOf = ({ headers }: { readonly headers: Headers }) => headers.get('x-service-request-id');
  const host = async () => (await rest.call<HostList>('GET', '/service/hosts')).body.hosts[0];
  const session = await rest.createSession('ios');
  const { id: sessionId } = session;

  await t.test('an interaction over REST, by the id that its caller has given it', async (t) => {
    const answer = await rest.interact(session, { ...TAP, requestId: 'tap-1' });
    t.match(answer, { status: 200, body: { requestId: 'tap-1' } });
    t.equal(idOf(answer), 'tap-1');
    const { edge, host } = find('tap-1');
    t.match(edge, [{ level: 'debug', msg: 'a host has answered', host: 'host-1', sessionId, status: 200 }]);
    t.match(host, [{ level: 'debug', msg: 'a call was answered', sessionId, status: 200 }]);
    t.equal(edge[0]?.call, 'POST /service/{platform}/{sessionId}/interactions');
    t.type(edge[0]?.durationMs, 'number');
    t.match(edge[0]?.channelId, /^[0-9A-Za-z]{22}\.\d+$/);
    t.equal(edge[0]?.channelId, host[0]?.channelId);
  });

  await t.test('an interaction over REST, by the id that the service has given it', async (t) => {
    const answer = await rest.interact(session, TAP);
    const { requestId } = answer.body;
    t.equal(idOf(answer), requestId);
    t.match(find(requestId), { edge: [{ status: 200 }], host: [{ status: 200 }] });
  });

  await t.test('an interaction that fails is told at every level, by both', async (t) => {
    t.match(await rest.interact(session, { ...LATE, requestId: 'late-1' }), { status: 504 });
    t.match(find('late-1'), { edge: [{ level: 'warn', status: 504 }], host: [{ level: 'warn', status: 504 }] });
  });

  await t.test('a call without an id of its own: its caller names it, or is told the name', async (t) => {
    const path = `/service/sessions/${sessionId}`;
    const named = await rest.fetch(path, { headers: { 'X-Service-Request-ID': 'asked by 7' } });
    t.equal(idOf(named), 'asked by 7');
    t.match(find('asked by 7'), { edge: [{ sessionId, status: 200 }], host: [{ sessionId, status: 200 }] });
    const unnamed = await rest.fetch(path);
    t.match(idOf(unnamed), /^req_\w{22}$/);
    t.match(find(idOf(unnamed)), { edge: [{ status: 200 }], host: [{ status: 200 }] });
    const list = await rest.fetch('/service/sessions');
    t.match(find(idOf(list)), { edge: [{ status: 200 }], host: [{ status: 200 }] }, 'an answer of all hosts');
    const own = await rest.fetch('/service/account');
    t.match(idOf(own), /^req_\w{22}$/, 'an answer of the edge alone');
    const malformed = await rest.fetch(path, { headers: { 'X-Service-Request-ID': 'x'.repeat(129) } });
    t.match(find(idOf(malformed)), { edge: [{ status: 200 }], host: [{ status: 200 }] });
  });

  await t.test('a change of what is kept is told at the default level', async (t) => {
    const answer = await rest.call<{ id: string }>('POST', '/service/sessions', { platform: 'ios' });
    t.match(find(idOf(answer)), { edge: [{ level: 'info', status: 201 }], host: [{ level: 'info', status: 201 }] });
    await rest.releaseSession(answer.body.id);
  });

  const socket = await ControlClient.connect(url, session, rest.authorization);
  await t.test('an interaction over a socket, by the channel', async (t) => {
    socket.send({ type: 'interaction', requestId: 'tap-2', ...TAP });
    socket.send({ type: 'interaction', requestId: 'late-2', ...LATE });
    await until(() => find('late-2').host.length > 0, 'the line of a failure');
    const [tap] = find('tap-2').host;
    t.match(tap, { level: 'debug', msg: 'an interaction has ended', sessionId, action: 'tap', status: 'completed' });
    const { edge, host } = find('late-2');
    t.match(host, [{ level: 'warn', msg: 'an interaction has failed', sessionId, code: 'interaction_timeout' }]);
    t.strictSame(edge, [], 'messages pass the edge unread');
    const opened = find(host[0]?.channelId);
    t.match(opened.edge, [{ level: 'info', msg: 'a control socket has opened', host: 'host-1', sessionId }]);
    t.match(opened.host[0], { level: 'info', msg: 'a control socket has opened', sessionId });
    t.equal(opened.edge[0]?.requestId, opened.host[0]?.requestId);
    t.equal(opened.host[0]?.channelId, tap?.channelId);
  });

  await t.test('no line for a tap at the default level', async (t) => {
    const taps = Object.values(logs).flatMap((lines) => lines.filter((line) => /^tap-/.test(String(line.requestId))));
    t.ok(taps.length > 0);
    t.strictSame(taps.filter(isAbove), []);
  });

  await t.test('a socket that is lost, and calls for a host that is away', async (t) => {
    fleet.nats.configure(fleet.users.slice(0, 1));
    await until(async () => (await host())?.state === 'away', 'the host is away');
    const answer = await rest.interact(session, { ...TAP, requestId: 'tap-3' });
    t.match(answer, { status: 503, body: { requestId: 'tap-3', error: { code: 'host_unreachable' } } });
    t.equal(idOf(answer), 'tap-3');
    const unreached = { level: 'warn', host: 'host-1', code: 'host_unreachable', sessionId };
    t.match(find('tap-3'), { edge: [unreached], host: [] });
    const read = await rest.fetch(`/service/sessions/${sessionId}`);
    t.match(find(idOf(read)), { edge: [unreached], host: [] });
    fleet.nats.configure(fleet.users);
    await socket.closed;
    const [opened] = find(sessionId).edge.filter(({ msg }) => msg === 'a control socket has opened');
    const ends = find(opened?.channelId);
    t.match(ends.edge.at(-1), {
      level: 'warn',
      msg: 'a control socket has closed',
      by: 'loss',
      requestId: opened?.requestId,
    });
    t.match(ends.host.at(-1), { level: 'warn', msg: 'a control socket has closed', why: 'NATS cannot be reached' });
  });

  await t.test('what was passed on is counted', async (t) => {
    const samples = await readMetrics(url);
    const counted = (outcome: string) =>
      samples.get(`runcloud_forwarded_calls_total{host="host-1",outcome="${outcome}"}`) ?? 0;
    t.ok(counted('answered') >= 5);
    t.equal(counted('failed'), 1);
    t.equal(counted('unreachable'), 2);
    const durations = samples.get('runcloud_forwarded_call_duration_seconds_count{host="host-1"}');
    t.equal(durations, counted('answered') + counted('refused') + counted('failed'));
  });

  t.notMatch(JSON.stringify(logs), TEST_KEY, 'no line has a key');
});
