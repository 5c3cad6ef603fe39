import { type Acknowledgement, ROUTES, type RouteName, type SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import type { Principal } from '../../server/account/authenticator.ts';
import type { CallTo } from '../../server/rest/call.ts';
import { HANDLERS, type Handler } from '../../server/rest/handlers.ts';
import { json } from '../../server/rest/reply.ts';
import type { LiveSession } from '../../server/session/live-session.ts';

type HandlerOf<Name extends RouteName> = Handler<(typeof ROUTES)[Name]>;

t.test('every route has a handler, but for the control socket', async (t) => {
  t.strictSame(
    Object.keys(HANDLERS).sort(),
    Object.keys(ROUTES)
      .filter((name) => name !== 'control')
      .sort(),
  );
});

t.test('a handler is given what the facts of its route promise', async (t) => {
  const session: HandlerOf<'screenshot'> = ({ owner, session, params }) => {
    const facts: readonly [Principal, LiveSession, 'ios' | 'android'] = [owner, session, params.platform];
    return { status: 200, body: String(facts.length) };
  };
  const record: HandlerOf<'getSession'> = ({ session }) => json(200, session satisfies SessionRecord);
  const body: HandlerOf<'revokeAll'> = ({ body: { newKey = '' } }) =>
    json(200, { keys: newKey.length, tokens: 0, signIns: 0, viewerLinks: 0 });
  t.equal(new Set<unknown>([session, record, body]).size, 3);
});

t.test('a handler does not compile that disagrees with its route', async (t) => {
  // Each of these is an error of the compiler, which `npm run check` wants to see.
  // @ts-expect-error the list of sessions is not about one of them
  const noSession: HandlerOf<'listSessions'> = ({ session }) => ({ status: 200, body: String(session) });
  // @ts-expect-error nobody has shown a key
  const noOwner: HandlerOf<'signIn'> = ({ owner }) => json(200, owner);
  // @ts-expect-error a GET has no body
  const noBody: HandlerOf<'getAccount'> = ({ body }) => json(200, body);
  const noSuch: HandlerOf<'getSession'> = ({ session, params }) =>
    // @ts-expect-error the path has no such parameter
    json(200, { ...session, id: params.recordingId });
  // @ts-expect-error the route answers with no such status
  const status: HandlerOf<'getSession'> = ({ session }) => json(202, session);
  // @ts-expect-error the body of the answer is another one
  const answer: HandlerOf<'getSession'> = () => json(200, {} as Acknowledgement);
  // @ts-expect-error a session that may have ended is none to act on
  const ended: (call: CallTo<'getRecording'>) => LiveSession = ({ session }) => session;
  t.equal(new Set<unknown>([noSession, noOwner, noBody, noSuch, status, answer, ended]).size, 7);
});
