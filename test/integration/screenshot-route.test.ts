import sharp from 'sharp';
import t from 'tap';
import { envelopeFault } from '../support/envelope.ts';
import { SOCKETS } from '../support/listen.ts';
import { awayFromMinuteEdge } from '../support/minute-edge.ts';
import { startServer } from '../support/server.ts';
import { exchange, requestText } from '../support/wire.ts';

const server = await startServer();
const session = await server.rest.createSession('android');
t.teardown(() => server.close());
const PATH = `/service/android/${session.id}/screenshot`;

/** Asks with this id in the header, over a bare connection so that nothing is tidied up on the way. */
const take = (id?: string) => {
  const headers = {
    Authorization: server.rest.authorization,
    ...(id === undefined ? {} : { 'X-Service-Request-ID': id }),
  };
  return exchange(server.url, requestText(`GET ${PATH}`, headers));
};

t.test('a screenshot is a PNG that no cache may keep', async (t) => {
  const answer = await take();
  t.equal(answer?.status, 200);
  t.equal(answer?.headers.get('content-type'), 'image/png');
  t.equal(answer?.headers.get('cache-control'), 'no-store');
  t.equal(answer?.body.subarray(0, 8).toString('hex'), '89504e470d0a1a0a');
  t.equal(answer?.body.subarray(-8).toString('hex'), '49454e44ae426082', 'whole to its last chunk');
});

t.test('without an id one is made, and a given one comes back as it was', async (t) => {
  const [one, two] = [await take(), await take()];
  t.match(one?.headers.get('x-service-request-id'), /^req_\w{22}$/);
  t.not(one?.headers.get('x-service-request-id'), two?.headers.get('x-service-request-id'));
  for (const id of ['a', 'x'.repeat(128), 'with blank', '{"a":1}', '~!@#$%^&*()']) {
    const answer = await take(id);
    t.equal(answer?.status, 200, id.slice(0, 20));
    t.equal(answer?.headers.get('x-service-request-id'), id, id.slice(0, 20));
  }
});

t.test('an id that is too long or not printable is refused, with the header and the action named', async (t) => {
  // Node.js takes no request whose header has a control character.
  const control = SOCKETS === 'ws' ? [] : ['a\u007fb'];
  for (const id of ['x'.repeat(129), 'x'.repeat(2_000), 'a\tb', 'a\u00e9b', ...control]) {
    const answer = await take(id);
    const text = String(answer?.body);
    t.equal(
      envelopeFault('invalid_screenshot_request', answer?.status ?? 0, text),
      undefined,
      JSON.stringify(id.slice(0, 20)),
    );
    t.match(JSON.parse(text), {
      action: 'screenshot',
      platform: 'android',
      sessionId: session.id,
      error: { message: /X-Service-Request-ID.*1 to 128/ },
    });
  }
});

t.test('screenshots of an unchanged display at the same time are all whole and the same picture', async (t) => {
  await awayFromMinuteEdge();
  const shots = await Promise.all(Array.from({ length: 12 }, () => server.rest.screenshot(session)));
  const [first] = shots;
  t.ok(first && shots.every((shot) => Buffer.compare(shot, first) === 0));
});

t.test('the same as a JPEG is smaller, and shows the newest screen', async (t) => {
  const jpeg = async () => {
    const answer = await server.rest.fetch(`${PATH}?format=jpeg`);
    t.equal(answer.headers.get('content-type'), 'image/jpeg');
    t.equal(answer.headers.get('cache-control'), 'no-store');
    return Buffer.from(await answer.arrayBuffer());
  };
  const before = await jpeg();
  const { format, width = 0, height = 0 } = await sharp(before).metadata();
  t.match({ format, longEdge: Math.max(width, height) }, { format: 'jpeg', longEdge: 768 });
  await server.rest.interact(session, { action: 'tap', x: 0.39, y: 0.92 });
  const after = await (await server.rest.fetch(`${PATH}?format=jpeg&settled=true`)).arrayBuffer();
  t.not(Buffer.compare(Buffer.from(after), before), 0);
  const refused = await server.rest.call<{ error: { code: string } }>('GET', `${PATH}?format=gif`);
  t.match(refused.body.error, { code: 'invalid_screenshot_request' });
});
