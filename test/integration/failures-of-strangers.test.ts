import { ROUTES, type Route } from '@runcloud/protocol';
import t from 'tap';
import { envelopeFault } from '../support/envelope.ts';
import { startServer } from '../support/server.ts';
import { exchange, requestText, type WireAnswer } from '../support/wire.ts';

const server = await startServer();
t.teardown(() => server.close());
const session = await server.rest.createSession('ios');
const HEADER = 'x-service-request-id';

const ask = (method: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
  exchange(server.url, requestText(`${method} ${path}`, headers)) as Promise<WireAnswer>;
const addressOf = ({ path }: Route): string =>
  path
    .replaceAll('{platform}', 'ios')
    .replaceAll('{sessionId}', 'ses_x')
    .replaceAll(/\{\w+\}/g, 'req_y');

/** The action in a failure of each route that is one. */
const ACTIONS: Readonly<Record<string, string>> = {
  'POST /open-url': 'open-url',
  'GET /screenshot': 'screenshot',
  'GET /ui': 'ui',
  'POST /check': 'ui.check',
  'POST /wait': 'ui.wait',
  'GET /clipboard': 'clipboard.get',
  'PUT /clipboard': 'clipboard.set',
  'POST /media': 'media.add',
  'GET /files': 'file.list',
  'GET /content': 'file.pull',
  'PUT /content': 'file.push',
  'DELETE /files': 'file.delete',
  'POST /control': 'control',
  'DELETE /control': 'control',
  'POST /snapshots': 'snapshot.create',
};

t.test(
  'a failure before authentication says what its address names: platform, session, request and action',
  async (t) => {
    const keyed = Object.values(ROUTES as Record<string, Route>).filter(({ credential }) =>
      ['key', 'keyOrViewerToken', 'keyOrSessionToken'].includes(credential),
    );
    t.ok(keyed.length > 25, `${keyed.length} routes`);
    for (const route of keyed) {
      for (const authorization of [undefined, 'Bearer wrong']) {
        const headers = authorization === undefined ? {} : { Authorization: authorization };
        const { status, body } = await ask(route.method, addressOf(route), headers);
        const what = `${route.method} ${route.path}`;
        if (route.failures === 'webDriver') {
          t.equal(status, 401, what);
          t.match(JSON.parse(String(body)), { value: { data: { code: 'authentication_required' } } }, what);
          continue;
        }
        t.equal(envelopeFault('authentication_required', status, String(body)), undefined, what);
        const { platform, sessionId, action, requestId } = JSON.parse(String(body));
        t.equal(platform, route.path.includes('{platform}') ? 'ios' : undefined, what);
        t.equal(sessionId, route.path.includes('{sessionId}') ? 'ses_x' : undefined, what);
        const end = /\/[a-z-]+$/.exec(route.path)?.[0];
        t.equal(action, ACTIONS[`${route.method} ${end}`], what);
        if (route.path.endsWith('{requestId}')) t.equal(requestId, 'req_y', what);
      }
    }
  },
);

t.test(
  'so does the refusal of an upgrade, and nothing of a stranger gets into it that could break a line',
  async (t) => {
    const { status, body } = await ask('GET', `/service/android/${'x'.repeat(300)}%0d%0a/control`);
    t.equal(status, 401);
    t.match(JSON.parse(String(body)), { platform: 'android', sessionId: undefined });
  },
);

t.test(
  'every answer of the screenshot route has the request id in its header, and failures the same in the body',
  async (t) => {
    const own = { Authorization: server.rest.authorization };
    const path = `/service/ios/${session.id}/screenshot`;
    const cases = [
      [200, path, own],
      [401, path, {}],
      [401, path, { Authorization: 'Bearer wrong' }],
      [404, '/service/ios/ses_x/screenshot', own],
      [404, `/service/android/${session.id}/screenshot`, own],
    ] as const;
    for (const [wanted, target, headers] of cases) {
      for (const given of [undefined, 'mine 1']) {
        const answer = await ask('GET', target, given === undefined ? headers : { ...headers, [HEADER]: given });
        t.equal(answer.status, wanted, target);
        const id = answer.headers.get(HEADER);
        t.match(id, given ?? /^req_\w{22}$/, `${wanted} ${given}`);
        if (wanted !== 200) t.equal(JSON.parse(String(answer.body)).requestId, id);
      }
    }
    const bad = await ask('GET', path, { ...own, [HEADER]: 'x'.repeat(129) });
    t.equal(bad.status, 400);
    t.match(bad.headers.get(HEADER), /^req_\w{22}$/, 'of an id that is not allowed nothing comes back');
    t.equal((await fetch(server.url + path, { method: 'HEAD' })).headers.get(HEADER)?.length, 26, 'HEAD as well');
  },
);
