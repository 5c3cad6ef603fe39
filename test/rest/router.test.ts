import { ROUTES, type RouteName } from '@runcloud/protocol';
import fc from 'fast-check';
import t from 'tap';
import { match } from '../../server/rest/router.ts';

const ID = 'ses_0123456789ABCDEFGHIJKL';

function example(path: string): string {
  return path.replace('{platform}', 'ios').replaceAll(/\{\w+\}/g, ID);
}

t.test('every route of the contract is found by its own method and path, with its parameters', async (t) => {
  for (const [name, { method, path }] of Object.entries(ROUTES)) {
    const found = match(method, example(path));
    t.match(found, { kind: 'route', name }, name);
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    if (found.kind === 'route') t.same(Object.keys(found.params), names, `${name} has ${names.length} parameters`);
  }
});

t.test('HEAD means the route of GET, and no other', async (t) => {
  t.match(match('HEAD', '/service/sessions'), { kind: 'route', name: 'listSessions' });
  t.same(match('HEAD', `/service/ios/${ID}/interactions`), {
    kind: 'wrong method',
    allow: ['POST'],
    params: { platform: 'ios', sessionId: ID },
  });
});

t.test('a known path with another method tells every method that is allowed there', async (t) => {
  t.same(match('PUT', '/service/sessions'), { kind: 'wrong method', allow: ['POST', 'GET', 'HEAD'], params: {} });
  t.same(match('POST', `/service/sessions/${ID}`), {
    kind: 'wrong method',
    allow: ['GET', 'HEAD', 'DELETE'],
    params: { sessionId: ID },
  });
  t.same(match('get', '/healthz'), { kind: 'wrong method', allow: ['GET', 'HEAD'], params: {} }, 'methods have a case');
});

t.test('the words "sessions", "ios" and "android" are never taken for an id or a platform', async (t) => {
  t.match(match('GET', '/service/sessions/ios'), { kind: 'route', name: 'getSession', params: { sessionId: 'ios' } });
  t.same(match('GET', `/service/sessions/${ID}/screenshot`), { kind: 'unknown' });
  t.same(match('GET', `/service/IOS/${ID}/screenshot`), { kind: 'unknown' });
  t.match(match('GET', '/service/android/sessions/screenshot'), { kind: 'route', name: 'screenshot' });
});

t.test('a path that is only nearly a route is unknown', async (t) => {
  const near = ['', '//', '/service', '/service/', '/service/sessions/', '//service/sessions', '/service//sessions'];
  const more = [
    '/healthz/',
    '/HEALTHZ',
    'xhealthz',
    '*',
    '/%68ealthz',
    '/service/ios//screenshot',
    `/service/ios/${ID}/screenshot/`,
  ];
  const tricks = [
    `/service/ios/${ID}/../${ID}/screenshot`,
    `/service%2fsessions`,
    '/service/./sessions',
    '/service/sessions%00',
  ];
  for (const path of [...near, ...more, ...tricks])
    t.same(match('GET', path), { kind: 'unknown' }, JSON.stringify(path));
});

t.test('a parameter is the segment byte for byte: nothing is decoded', async () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 40 }), (text) => {
      const segment = text.replaceAll('/', '%2F');
      const found = match('GET', `/service/ios/${segment}/screenshot`);
      return found.kind === 'route' && found.params.sessionId === segment;
    }),
  );
});

t.test('no path makes the router throw or find a route whose segments differ', async () => {
  const words = fc.constantFrom(
    'service',
    'sessions',
    'ios',
    'android',
    'control',
    'interactions',
    'screenshot',
    '',
    '..',
    ID,
  );
  const paths = fc.array(words, { maxLength: 7 }).map((segments) => `/${segments.join('/')}`);
  fc.assert(
    fc.property(fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE', 'PUT'), paths, (method, path) => {
      const found = match(method, path);
      if (found.kind !== 'route') return true;
      const filled = ROUTES[found.name as RouteName].path.replaceAll(
        /\{(\w+)\}/g,
        (_, name) => found.params[name] ?? '',
      );
      return filled === path && (found.route.method as string) === (method === 'HEAD' ? 'GET' : method);
    }),
  );
});
