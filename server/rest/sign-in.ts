import {
  type Checked,
  checkAcceptInvitation,
  checkLink,
  checkSignIn,
  faultSentence,
  ServiceError,
} from '@runcloud/protocol';
import type { AccountServices } from '../account/account-services.ts';
import type { OpenedSignIn } from '../account/dashboard-sign-ins.ts';
import { KNOWN_BROWSER_LIFE_MS } from '../account/known-browsers.ts';
import type { Entrance } from '../account/sign-in.ts';
import type { HttpReply } from '../socket/http.ts';
import { type OpenCall, readBody } from './call.ts';
import { DashboardCookie } from './dashboard-cookie.ts';
import { json } from './reply.ts';

/** How a browser gets the dashboard's cookie. The caller has checked that the dashboard's own page asks. */
export interface SignInServices {
  readonly account: AccountServices;
  readonly ownOrigin: () => string;
}

export async function signIn(call: OpenCall, services: SignInServices, body: Uint8Array): Promise<HttpReply> {
  const { email, password } = checked(checkSignIn(readBody(call, body, 'invalid_request')));
  return enter(services, await services.account.signIn.byPassword(email, password, entrance(call, services)));
}

export function signInByLink(call: OpenCall, services: SignInServices, body: Uint8Array): HttpReply {
  const { token } = checked(checkLink(readBody(call, body, 'invalid_request')));
  return enter(services, services.account.signIn.byLink(token, entrance(call, services)));
}

export function readInvitation(call: OpenCall, { account }: SignInServices, body: Uint8Array): HttpReply {
  const { token } = checked(checkLink(readBody(call, body, 'invalid_request')));
  return json(200, account.signIn.readInvitation(token, call));
}

export async function acceptInvitation(call: OpenCall, services: SignInServices, body: Uint8Array): Promise<HttpReply> {
  const accepted = checked(checkAcceptInvitation(readBody(call, body, 'invalid_request')));
  return enter(services, await services.account.signIn.acceptInvitation(accepted, entrance(call, services)));
}

/** Where a browser signs in from, and what it kept from the last time. */
function entrance({ holder, head }: OpenCall, { ownOrigin }: SignInServices): Entrance {
  const kept = (kind?: 'browser') => new DashboardCookie(ownOrigin(), kind).read(head);
  return { holder, mark: kept('browser'), former: kept() };
}

/** A browser that signs in again gets another cookie. */
function enter({ account, ownOrigin }: SignInServices, opened: OpenedSignIn): HttpReply {
  const cookie = new DashboardCookie(ownOrigin());
  const known = new DashboardCookie(ownOrigin(), 'browser');
  const { id: keyId, accountId } = opened;
  return json(200, account.describe({ accountId, keyId, kind: 'dashboard' }), {
    'Set-Cookie': cookie.set(opened.secret, opened.lifeMs),
    // A header may come twice; in a record its two lines need two writings.
    'set-cookie': known.set(account.browsers.mark(accountId), KNOWN_BROWSER_LIFE_MS),
  });
}

export function checked<T>(outcome: Checked<T>): T {
  if (!outcome.ok) throw new ServiceError('invalid_request', faultSentence(outcome.fault));
  return outcome.value;
}
