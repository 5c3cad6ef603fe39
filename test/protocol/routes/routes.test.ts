import t from 'tap';
import { Acknowledgement, CONTROL_SUBPROTOCOL, ROUTES, type Route, type RouteName } from '../../../protocol/index.ts';
import { byKey, get, post } from '../../../protocol/routes/parts.ts';

const routes = Object.values<Route>(ROUTES);
const named = (keep: (route: Route) => boolean): string[] =>
  (Object.keys(ROUTES) as RouteName[]).filter((name) => keep(ROUTES[name])).sort();

t.test('no method and path appear twice', async (t) => {
  t.equal(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size, routes.length);
});

t.test('a route whose path names a platform acts on a session of the caller', async (t) => {
  for (const { path, role = '' } of routes) {
    if (path.includes('{platform}')) t.match(role, /session$/i, path);
  }
});

t.test('a route that takes no credential is below no account, but for those that give one', async (t) => {
  for (const { path, credential, pages } of routes) {
    if (path.startsWith('/service/') && credential === 'none') t.equal(pages, 'own', path);
  }
});

t.test('a route that is no GET is answered when its change is on disk, but for those that see to it', async (t) => {
  const unkept = named(({ writes }) => writes === 'none');
  const recordings = ['startRecording', 'stopRecording'];
  const ofLease = ['askControl', 'releaseControl'];
  const others = [
    'addMedia',
    'cancelInteraction',
    'checkUi',
    'createSnapshot',
    'deleteFile',
    'deleteWebDriver',
    'interact',
    'mcp',
    'openUrl',
    'postWebDriver',
    'pushFile',
    'readInvitation',
    'waitUi',
    'writeClipboard',
  ];
  t.strictSame(unkept, [...ofLease, ...others, ...recordings].sort());
});

t.test('a route that acts on more than the database runs once', async (t) => {
  const once = named(({ writes }) => writes === 'at once');
  t.strictSame(once, ['deleteAsset', 'deleteSession', 'deleteSnapshot', 'uploadAsset']);
});

t.test('the sub-protocol is a token that a WebSocket handshake can carry', async (t) => {
  t.match(CONTROL_SUBPROTOCOL, /^[a-z0-9.]+$/);
});

t.test('a route does not compile that lacks a fact, or whose facts disagree', async (t) => {
  const answers = { 200: { description: 'It is done', schema: Acknowledgement } } as const;
  const one = { ...get('/one', 'Read one'), description: 'One is read.' };
  const right: Route = { ...one, ...byKey('account'), answers };
  // Each of these is an error of the compiler, which `npm run check` wants to see.
  // @ts-expect-error it asks for no credential
  const open: Route = { ...one, answers };
  // @ts-expect-error every key would do, and nobody says whose session it is
  const anyRole: Route = { ...one, credential: 'key', answers };
  // @ts-expect-error nobody owns a session without a key
  const ownerless: Route = { ...one, credential: 'none', role: 'activeSession', answers };
  // @ts-expect-error nothing is known of its answers
  const silent: Route = { ...one, ...byKey('account') };
  // @ts-expect-error a GET changes nothing
  const writingGet: Route = { ...one, ...byKey('account'), writes: 'again', answers };
  // @ts-expect-error nobody knows whether its change is kept
  const unkept: Route = { ...one, ...post('/one', 'Make one', undefined), ...byKey('account'), answers };
  // @ts-expect-error the reference has nothing to say of it
  const untold: Route = { ...get('/one', 'Read one'), ...byKey('account'), answers };
  t.equal(new Set([right, open, anyRole, ownerless, silent, writingGet, unkept, untold]).size, 8);
});
