import { CLOSE, LIMITS } from '@runcloud/protocol/terms';
import type { Test } from 'tap';
import { ControlClient } from './control-client.ts';
import { RestClient } from './rest-client.ts';
import { TEST_KEY } from './server.ts';
import { serverProgram, temporaryDataDir } from './server-process.ts';

/** Connections that are opened at the same time. */
const AT_ONCE = 50;

/**
 * Stops a server in a process of its own while `count` sockets of two sessions watch their screens, and proves that each
 * is told why and that the process ends by itself in time.
 */
export async function drainSockets(t: Test, count: number): Promise<void> {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const program = serverProgram(dataDir.path, { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_RATE_LIMIT: 'off' });
  t.teardown(() => program.signal('SIGKILL'));
  const rest = new RestClient(await program.ready(), TEST_KEY);
  const sessions = [await rest.createSession('ios'), await rest.createSession('android')] as const;
  // One key may not open as many at once as both sessions take.
  const { body } = await rest.call<{ key: string }>('POST', '/service/account/keys', { name: 'the other one' });
  const keys = [rest.authorization, `Bearer ${body.key}`] as const;
  const clients: ControlClient[] = [];
  while (clients.length < count) {
    const connect = (_: unknown, index: number) => {
      const which = index % 2 ? 0 : 1;
      return ControlClient.connect(rest.url, sessions[which], keys[which]);
    };
    const opened = await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - clients.length) }, connect));
    for (const client of opened) client.send({ type: 'screen.start', streamId: 1 });
    clients.push(...opened);
  }
  const startMs = performance.now();
  program.signal('SIGTERM');
  t.same(await program.ended, { code: 0, signal: null });
  const tookMs = performance.now() - startMs;
  t.comment(`${count} sockets, exit after ${Math.round(tookMs)} ms`);
  // A second before the process would be ended whatever is under way.
  t.ok(tookMs < LIMITS.drainMsMax - 1_500, `${tookMs} ms`);
  const codes = await Promise.all(clients.map(({ closed }) => closed.then(({ code }) => code)));
  t.same(new Set(codes), new Set([CLOSE.draining.code]), `each of ${codes.length} was told`);
}
