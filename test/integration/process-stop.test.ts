import type { SessionRecord } from '@runcloud/protocol';
import { CLOSE, LIMITS } from '@runcloud/protocol/terms';
import t, { type Test } from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { type Program, serverProgram, temporaryDataDir } from '../support/server-process.ts';

interface Running {
  readonly program: Program;
  readonly url: string;
  readonly rest: RestClient;
}

async function start(t: Pick<Test, 'teardown'>, path: string, environment = {}): Promise<Running> {
  const program = serverProgram(path, { RUNCLOUD_API_KEY: TEST_KEY, ...environment });
  t.teardown(() => program.signal('SIGKILL'));
  const url = await program.ready();
  return { program, url, rest: new RestClient(url, TEST_KEY) };
}

const SWIPE = { action: 'swipe', from: { x: 0, y: 0 }, to: { x: 1, y: 1 }, durationMs: 30_000, timeoutMs: 60_000 };

t.test(
  'a signal drains: what is pending is acknowledged, sockets are closed with 1001, and the exit is 0',
  async (t) => {
    const dataDir = temporaryDataDir();
    t.teardown(dataDir.remove);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { program, url, rest } = await start(t, dataDir.path);
      const session = await rest.createSession('ios');
      const client = await ControlClient.connect(url, session, rest.authorization);
      for (const requestId of ['running', 'waiting']) client.send({ type: 'interaction', requestId, ...SWIPE });
      await client.next('accepted', ({ requestId }) => requestId === 'waiting');
      const overRest = rest.interact(session, { requestId: 'over-rest', ...SWIPE });
      // Its turn in the queue shows that the REST call was accepted too.
      client.send({ type: 'interaction', requestId: 'over-rest', ...SWIPE });
      await client.next('accepted', ({ requestId }) => requestId === 'over-rest');
      const startMs = performance.now();
      program.signal(signal);
      t.same(await client.closed, { code: CLOSE.draining.code, reason: CLOSE.draining.reason }, signal);
      for (const requestId of ['running', 'waiting', 'over-rest']) {
        t.equal(
          client.messages.filter((message) => message.type === 'result' && message.requestId === requestId).length,
          1,
          requestId,
        );
      }
      t.match(client.messages.at(-1), { type: 'event', event: 'session.ended', reason: 'server_stopped' });
      t.match(await overRest, { status: 404, body: { ok: false, requestId: 'over-rest' } });
      t.same(await program.ended, { code: 0, signal: null }, signal);
      t.ok(performance.now() - startMs < LIMITS.drainMsMax, 'within the time that is promised for a drain');
      t.notMatch(program.stderr, /^\s+at /m);
      const again = await start(t, dataDir.path);
      const { body } = await again.rest.call<SessionRecord>('GET', `/service/sessions/${session.id}`);
      t.match(body, { status: 'released', releaseReason: 'server_stopped' });
      again.program.signal('SIGTERM');
      await again.program.ended;
    }
  },
);

t.test('a second signal ends the process whatever it is doing', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const { program, rest } = await start(t, dataDir.path);
  await rest.createSession('ios');
  program.signal('SIGTERM');
  program.signal('SIGINT');
  const { code, signal } = await program.ended;
  t.equal(signal, null);
  t.ok(code === 0 || code === 1, `the exit is ${code}: 0 when the drain was quicker`);
});

t.test('sessions of a killed server are failed at the next start, and keys stay valid', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const first = await start(t, dataDir.path);
  const released = await first.rest.createSession('ios');
  await first.rest.releaseSession(released.id);
  const lost = [await first.rest.createSession('ios'), await first.rest.createSession('android')];
  const client = await ControlClient.connect(first.url, lost[0] as SessionRecord, first.rest.authorization);
  first.program.signal('SIGKILL');
  t.same(await first.program.ended, { code: null, signal: 'SIGKILL' });
  t.equal((await client.closed).code, 1006);

  const second = await start(t, dataDir.path);
  for (const { id, platform } of lost) {
    const { status, body } = await second.rest.call<SessionRecord>('GET', `/service/sessions/${id}`);
    t.equal(status, 200);
    t.match(body, { status: 'failed', releaseReason: 'server_restarted', platform });
    t.match(body.releasedAt, /^\d{4}-/);
    const tap = await second.rest.call('POST', `/service/${platform}/${id}/interactions`, {
      action: 'tap',
      x: 0,
      y: 0,
    });
    t.match(tap, { status: 404, body: { error: { code: 'active_session_not_found' } } });
    t.match(await second.rest.releaseSession(id), { status: 200, body: { status: 'failed' } });
  }
  const before = await second.rest.call<SessionRecord>('GET', `/service/sessions/${released.id}`);
  t.match(before.body, { status: 'released', releaseReason: 'requested' });
  const fresh = await Promise.all([1, 2, 3, 4].map(() => second.rest.createSession('ios')));
  t.equal(fresh.length, 4, 'every device is free again');
});

t.test(
  'an exception that nobody catches is logged, and the service drains and exits with 1 instead of limping on',
  async (t) => {
    const dataDir = temporaryDataDir();
    t.teardown(dataDir.remove);
    const preload = new URL('../support/unexpected-fault.mjs', import.meta.url).pathname;
    const { program, url, rest } = await start(t, dataDir.path, { NODE_OPTIONS: `--import=${preload}` });
    const session = await rest.createSession('ios');
    const client = await ControlClient.connect(url, session, rest.authorization);
    client.send({ type: 'interaction', requestId: 'running', ...SWIPE });
    await client.next('dispatched', ({ requestId }) => requestId === 'running');
    program.signal('SIGUSR2');
    program.signal('SIGUSR2');
    t.same(await client.closed, { code: CLOSE.draining.code, reason: CLOSE.draining.reason });
    t.match(client.messages.at(-1), { type: 'event', event: 'session.ended', reason: 'server_stopped' });
    t.equal(client.messages.filter(({ type }) => type === 'result').length, 1, 'what ran is acknowledged');
    t.same(await program.ended, { code: 1, signal: null });
    const told = program.stderr.split('\n').filter((line) => line.includes('nobody catches this'));
    t.equal(told.length, 1, 'once, in one line');
    t.match(JSON.parse(told[0] ?? '{}'), { level: 'fatal', err: { message: 'nobody catches this' } });
  },
);
