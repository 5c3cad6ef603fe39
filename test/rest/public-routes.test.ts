import { ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import { type FacadeOptions, RestFacade } from '../../server/rest/facade.ts';
import type { HttpHead, HttpReply } from '../../server/socket/http.ts';
import { ManualClock } from '../account/manual-clock.ts';
import { envelopeFault } from '../support/envelope.ts';

/** A facade whose viewer files do what the test says; nobody has a key. */
function facadeWith(viewerFile: (name: string) => Promise<HttpReply>) {
  const viewer = (sessionId: string, token: string) => ({ status: 200, body: `${sessionId} by "${token}"` });
  const faults: unknown[] = [];
  const answered: string[] = [];
  const facade = new RestFacade({
    clock: new ManualClock(),
    commit: async (task) => task(),
    scheduler: {} as FacadeOptions['scheduler'],
    refusals: {} as FacadeOptions['refusals'],
    services: { pages: { viewerFile, viewer } } as unknown as FacadeOptions['services'],
    authenticate: () => undefined,
    sessionToken: () => undefined,
    rateLimiter: () => undefined,
    keylessAllowance: () => undefined,
    notFoundPage: { status: 404, body: 'a page' },
    refuseUpgrade: () => ({ status: 426, body: '' }),
    onAnswered: (route, status) => void answered.push(`${status} ${route}`),
    onFault: (error) => void faults.push(error),
  });
  const get = async (path: string, accept?: string, query = ''): Promise<HttpReply> => {
    const head: HttpHead = {
      method: 'GET',
      path,
      query,
      address: '127.0.0.1',
      network: '127.0.0.1',
      header: (name) => (name === 'accept' ? accept : undefined),
      onGone: () => undefined,
    };
    const outcome = facade.begin(head);
    if ('receive' in outcome || 'admit' in outcome) throw new Error('it waits for a body');
    return outcome;
  };
  return { get, faults, answered };
}

t.test('a public route is served without a key and gets its parameters', async (t) => {
  const { get, answered } = facadeWith(async (name) => ({ status: 200, body: `file ${name}` }));
  t.match(await get('/viewer/app.js'), { status: 200, body: 'file app.js' });
  t.same(answered, ['200 /viewer/{file}']);
});

t.test('a signed text is the first of its name in the query, and empty where there is none', async (t) => {
  const { get } = facadeWith(async () => ({ status: 200, body: '' }));
  for (const [query, token] of [
    ['token=bad&token=good', 'bad'],
    ['reference=x&token=a%20b', 'a b'],
    ['token', ''],
    ['', ''],
  ]) {
    t.match(await get('/view/ses_1', undefined, query), { body: `ses_1 by "${token}"` }, `${query}`);
  }
});

t.test('a public route that fails, now or later, answers 500 with the envelope; the log has the reason', async (t) => {
  const reason = new Error('/secret/path.ts does not compile');
  for (const fail of [
    () => Promise.reject(reason),
    (): Promise<HttpReply> => {
      throw reason;
    },
  ]) {
    const { get, faults, answered } = facadeWith(fail);
    const { status, body } = await get('/viewer/app.js');
    t.equal(envelopeFault('internal_error', status, String(body)), undefined);
    t.notMatch(String(body), /secret|compile/);
    t.same(faults, [reason]);
    t.same(answered, ['500 /viewer/{file}']);
  }
});

t.test(
  'below /service an address that is no route needs a key before it says so, elsewhere it says so at once',
  async (t) => {
    const { get } = facadeWith(async () => ({ status: 200, body: '' }));
    for (const [code, paths] of [
      ['authentication_required', ['/service', '/service/', '/service/a', '/service/ios/ses_1/none']],
      [
        'not_found',
        ['//', '/viewer/a/b', '/favicon.ico', '/services', '/Service/a', '/oauth', '/oauth/none', 'x', '/%00'],
      ],
    ] as const) {
      for (const path of paths) {
        const { status, body } = await get(path);
        t.equal(envelopeFault(code, status, String(body)), undefined, path);
      }
    }
  },
);

t.test('a browser that asks for what there is not gets a page, but below /service', async (t) => {
  const { get, answered } = facadeWith(() => {
    throw new ServiceError('not_found');
  });
  const browser = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
  for (const path of ['//', '/no/where', '/viewer/none.js'])
    t.match(await get(path, browser), { status: 404, body: 'a page' });
  for (const accept of ['*/*', 'application/json', 'text/css', 'image/avif,image/webp,*/*;q=0.8']) {
    t.equal(envelopeFault('not_found', 404, String((await get('/no/where', accept)).body)), undefined, accept);
  }
  t.equal((await get('/service/none', browser)).status, 401);
  t.same(answered.slice(0, 3), ['404 unknown', '404 unknown', '404 /viewer/{file}']);
});
