import type { OpenedSignIn } from '../account/dashboard-sign-ins.ts';
import { KNOWN_BROWSER_LIFE_MS } from '../account/known-browsers.ts';
import type { Entrance } from '../account/sign-in.ts';
import type { CallTo } from './call.ts';
import { DashboardCookie } from './dashboard-cookie.ts';
import { json } from './reply.ts';
import type { Services } from './services.ts';

/** Handlers that give a browser the dashboard's cookie. Their routes are restricted to the dashboard's own pages. */

type SignInCall = Pick<CallTo<'signIn'>, 'holder' | 'head'>;

export async function signIn(call: CallTo<'signIn'>, services: Services) {
  const { email, password } = call.body;
  return enter(services, await services.account.signIn.byPassword(email, password, entrance(call, services)));
}

export function signInByLink(call: CallTo<'signInByLink'>, services: Services) {
  return enter(services, services.account.signIn.byLink(call.body.token, entrance(call, services)));
}

export function readInvitation(call: CallTo<'readInvitation'>, { account }: Services) {
  return json(200, account.signIn.readInvitation(call.body.token, call));
}

export async function acceptInvitation(call: CallTo<'acceptInvitation'>, services: Services) {
  return enter(services, await services.account.signIn.acceptInvitation(call.body, entrance(call, services)));
}

/** The network address of a browser, and its cookies of earlier sign-ins. */
function entrance({ holder, head }: SignInCall, { ownOrigin }: Services): Entrance {
  const kept = (kind?: 'browser') => new DashboardCookie(ownOrigin(), kind).read(head);
  return { holder, mark: kept('browser'), former: kept() };
}

/** Sets a new cookie at each sign-in. */
function enter({ account, ownOrigin }: Services, opened: OpenedSignIn) {
  const cookie = new DashboardCookie(ownOrigin());
  const known = new DashboardCookie(ownOrigin(), 'browser');
  const { id: keyId, accountId } = opened;
  return json(200, account.describe({ accountId, keyId, kind: 'dashboard' }), {
    'Set-Cookie': cookie.set(opened.secret, opened.lifeMs),
    // A record cannot hold two equal names, so the second `Set-Cookie` is spelt differently.
    'set-cookie': known.set(account.browsers.mark(accountId), KNOWN_BROWSER_LIFE_MS),
  });
}
