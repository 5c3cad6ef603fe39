import t from 'tap';
import { CONTROL_SUBPROTOCOL, ROUTES } from '../../protocol/index.ts';

const routes = Object.values(ROUTES);

t.test('no method and path appear twice', async (t) => {
  t.equal(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size, routes.length);
});

t.test('routes of active and owned scope name platform and session; public ones name neither', async (t) => {
  for (const { path, scope } of routes) {
    t.equal(path.startsWith('/service/{platform}/{sessionId}/'), scope === 'active' || scope === 'owned', path);
    if (scope === 'public') t.notMatch(path, /[{}]/);
  }
});

t.test('the sub-protocol is a token that a WebSocket handshake can carry', async (t) => {
  t.match(CONTROL_SUBPROTOCOL, /^[a-z0-9.]+$/);
});
