import type { RouteName } from '@runcloud/protocol';
import type { OpenCall } from './call.ts';
import type { Reply } from './handlers.ts';
import { oauthDevice, oauthRevoke, oauthToken } from './oauth.ts';
import { refuseForeignBrowser, refuseForeignPage } from './own-page.ts';
import { acceptInvitation, readInvitation, type SignInServices, signIn, signInByLink } from './sign-in.ts';

/** What a route does for whoever is about to get a credential. All of them take a body. */
export type OpenHandler = (call: OpenCall, services: SignInServices) => (body: Uint8Array) => Reply;

type Run = (call: OpenCall, services: SignInServices, body: Uint8Array) => Reply;

/** No page has any business here: one that another site serves would spend its visitors' addresses. */
const forPrograms =
  (run: Run): OpenHandler =>
  (call, services) => {
    refuseForeignBrowser(call.head, services.ownOrigin());
    return (body) => run(call, services, body);
  };

/** Signs a browser in, so another site must not be able to do it: the person would work in a stranger's account. */
const forOwnPage =
  (run: Run): OpenHandler =>
  (call, services) => {
    refuseForeignPage(call.head, services.ownOrigin());
    return (body) => run(call, services, body);
  };

export const OPEN_HANDLERS: Readonly<Partial<Record<RouteName, OpenHandler>>> = {
  signIn: forOwnPage(signIn),
  signInByLink: forOwnPage(signInByLink),
  readInvitation: forOwnPage(readInvitation),
  acceptInvitation: forOwnPage(acceptInvitation),
  oauthDevice: forPrograms(oauthDevice),
  oauthToken: forPrograms(oauthToken),
  oauthRevoke: forPrograms(oauthRevoke),
};
