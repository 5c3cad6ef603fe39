import sharp from 'sharp';
import t from 'tap';
import { envelopeFault } from '../support/envelope.ts';
import { awayFromMinuteEdge } from '../support/minute-edge.ts';
import { startServer } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const session = await server.rest.createSession('ios');
const path = `/service/sessions/${session.id}/thumbnail`;

t.test('a small JPEG of the display, with a tag that spares an unchanged one', async (t) => {
  await awayFromMinuteEdge();
  const response = await server.rest.fetch(path);
  t.equal(response.status, 200);
  t.equal(response.headers.get('content-type'), 'image/jpeg');
  t.equal(response.headers.get('cache-control'), 'private, no-cache');
  const { format, height } = await sharp(await response.arrayBuffer()).metadata();
  t.strictSame([format, height], ['jpeg', 480]);
  const etag = response.headers.get('etag') ?? '';
  const again = await server.rest.fetch(path, { headers: { 'If-None-Match': etag } });
  t.strictSame([again.status, await again.text()], [304, '']);
  const other = await server.rest.fetch(path, { headers: { 'If-None-Match': '"other"' } });
  t.equal(other.status, 200);
});

t.test('looking is no use of the session: it does not live longer for it', async (t) => {
  const idle = await server.rest.createSession('android', { inactivityTimeout: '30s' });
  const left = async () => {
    const { body } = await server.rest.call<{ expiresAt: string }>('GET', `/service/sessions/${idle.id}`);
    return Date.parse(body.expiresAt);
  };
  const before = await left();
  for (let n = 0; n < 5; n++) {
    await server.rest.fetch(`/service/sessions/${idle.id}/thumbnail`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  t.ok(Math.abs((await left()) - before) < 400, 'its end stays where it was');
  await server.rest.releaseSession(idle.id);
});

t.test('a stranger’s session is as unknown as none, and an ended one has no display', async (t) => {
  const stranger = server.addAccount('stranger');
  for (const id of [session.id, 'ses_0123456789ABCDEFGHIJKL']) {
    const response = await stranger.rest.fetch(`/service/sessions/${id}/thumbnail`);
    t.equal(envelopeFault('session_not_found', response.status, await response.text()), undefined, id);
  }
  await server.rest.releaseSession(session.id);
  const ended = await server.rest.fetch(path);
  t.equal(envelopeFault('active_session_not_found', ended.status, await ended.text()), undefined);
});
