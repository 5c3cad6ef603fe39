import type { Platform, RouteName } from '@runcloud/protocol';
import type { LinkedSession, ViewerLinks } from '../account/viewer-links.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { HttpReply } from '../socket/http.ts';
import {
  createKey,
  decideDeviceRequest,
  getAccount,
  listKeys,
  listTokens,
  readDeviceRequest,
  revokeKey,
  revokeToken,
  setPassword,
  signOut,
  usage,
} from './account.ts';
import type { Call } from './call.ts';
import { cancelInteraction, interact } from './interactions.ts';
import { screenshot } from './screenshot.ts';
import { createSession, deleteSession, getSession, listSessions } from './sessions.ts';
import type { SignInServices } from './sign-in.ts';
import { thumbnail } from './thumbnail.ts';
import { createViewerLink, linkedSession, listViewerLinks, revokeViewerLink } from './viewer-links.ts';

export type Reply = HttpReply | Promise<HttpReply>;

/** What the routes act on; the control socket acts on the same. */
export interface Services extends SignInServices {
  readonly registry: SessionRegistry;
  readonly viewerLinks: ViewerLinks;
}

/** What a route does with an authenticated call. */
export interface Handler {
  readonly takesBody: boolean;
  /** Checks what comes before the body, above all the session; the rest runs once the body is there. */
  readonly prepare: (call: Call, services: Services) => (body: Uint8Array) => Reply;
}

const onAccount = (
  run: (call: Call, registry: SessionRegistry, body: Uint8Array) => Reply,
  { takesBody = false } = {},
): Handler => ({
  takesBody,
  prepare:
    (call, { registry }) =>
    (body) =>
      run(call, registry, body),
});

const onSession = (
  run: (call: Call, session: LiveSession, body: Uint8Array) => Reply,
  { takesBody = false } = {},
): Handler => ({
  takesBody,
  prepare: (call, { registry }) => {
    const { platform, sessionId = '' } = call.params;
    const session = registry.active(call.owner, platform as Platform, sessionId);
    return (body) => run(call, session, body);
  },
});

const onLinks = (
  run: (call: Call, session: LinkedSession, links: ViewerLinks, body: Uint8Array) => Reply,
  { takesBody = false } = {},
): Handler => ({
  takesBody,
  prepare: (call, { registry, viewerLinks }) => {
    const session = linkedSession(call, registry);
    return (body) => run(call, session, viewerLinks, body);
  },
});

const onOwnAccount = (
  run: (call: Call, services: SignInServices, body: Uint8Array) => Reply,
  { takesBody = false } = {},
): Handler => ({ takesBody, prepare: (call, services) => (body) => run(call, services, body) });

export const HANDLERS: Readonly<Partial<Record<RouteName, Handler>>> = {
  createSession: onAccount(createSession, { takesBody: true }),
  listSessions: onAccount(listSessions),
  getSession: onAccount(getSession),
  deleteSession: onAccount(deleteSession),
  createViewerLink: onLinks(createViewerLink, { takesBody: true }),
  listViewerLinks: onLinks(listViewerLinks),
  revokeViewerLink: onLinks(revokeViewerLink),
  interact: onSession(interact, { takesBody: true }),
  cancelInteraction: onSession(cancelInteraction),
  screenshot: onSession(screenshot),
  thumbnail: onAccount(thumbnail),
  signOut: onOwnAccount(signOut),
  getAccount: onOwnAccount(getAccount),
  setPassword: onOwnAccount(setPassword, { takesBody: true }),
  createKey: onOwnAccount(createKey, { takesBody: true }),
  listKeys: onOwnAccount(listKeys),
  revokeKey: onOwnAccount(revokeKey),
  listTokens: onOwnAccount(listTokens),
  revokeToken: onOwnAccount(revokeToken),
  usage: onOwnAccount(usage),
  readDeviceRequest: onOwnAccount(readDeviceRequest),
  decideDeviceRequest: onOwnAccount(decideDeviceRequest, { takesBody: true }),
};
