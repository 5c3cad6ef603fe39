import t from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { decodePng } from '../support/picture.ts';
import { startServer } from '../support/server.ts';

t.test('a tap over the socket is acknowledged in three stages and its effect is in the screenshot', async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const client = await ControlClient.connect(server.url, session, server.rest.authorization);
  const before = await server.rest.screenshot(session);

  const acknowledgement = await client.interact({ requestId: 'first', action: 'tap', x: 0.16, y: 0.92 });

  t.match(acknowledgement, { ok: true, status: 'completed', action: 'tap', result: { pointCount: 1 } });
  t.same(
    client.answers.map(({ type }) => type),
    ['ready', 'accepted', 'dispatched', 'result'],
  );
  t.equal((await server.inspect('ios', session.id)).foreground, 'touch-lab');
  const after = await server.rest.screenshot(session);
  t.not(Buffer.compare(after, before), 0);
  const { width, height } = await decodePng(after);
  t.same([width, height], [590, 1280]);
  await client.close();
});
