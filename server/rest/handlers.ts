import type { RouteName } from '@runcloud/protocol';
import { LIMITS, type Platform } from '@runcloud/protocol/terms';
import type { LinkedSession, ViewerLinks } from '../account/viewer-links.ts';
import type { Assets } from '../asset/assets.ts';
import type { Cursors } from '../flow/cursors.ts';
import type { Downloads } from '../recording/downloads.ts';
import type { Recordings } from '../recording/recordings.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { HttpReply, TakeBody } from '../socket/http.ts';
import {
  createKey,
  decideDeviceRequest,
  getAccount,
  listKeys,
  listTokens,
  readDeviceRequest,
  revokeAll,
  revokeKey,
  revokeToken,
  setPassword,
  signOut,
  usage,
} from './account.ts';
import { deleteAsset, getAsset, listAssets, uploadAsset } from './assets.ts';
import type { Call } from './call.ts';
import { type DoctorServices, doctor } from './doctor.ts';
import { cancelInteraction, interact } from './interactions.ts';
import { openUrlSession, postOpenUrl } from './open-url.ts';
import {
  downloadRecording,
  getRecording,
  listRecordings,
  ownedSession,
  repeatedStart,
  startRecording,
  stopRecording,
} from './recordings.ts';
import { screenshot } from './screenshot.ts';
import { createSession, deleteSession, getSession, listSessions } from './sessions.ts';
import type { SignInServices } from './sign-in.ts';
import { thumbnail } from './thumbnail.ts';
import { createViewerLink, linkedSession, listViewerLinks, revokeViewerLink } from './viewer-links.ts';

export type Reply = HttpReply | Promise<HttpReply>;

/** What the routes act on; the control socket acts on the same. */
export interface Services extends SignInServices, DoctorServices {
  readonly registry: SessionRegistry;
  readonly viewerLinks: ViewerLinks;
  readonly recordings: Recordings;
  readonly downloads: Downloads;
  readonly assets: Assets;
  /** Of every list's pages. */
  readonly cursors: Cursors;
}

/** What a route does with an authenticated call. */
export interface Handler {
  readonly takesBody: boolean;
  /** Checks what comes before the body, above all the session; the rest runs once the body is there. */
  readonly prepare: (call: Call, services: Services) => (body: Uint8Array) => Reply;
}

/** A route that takes its body piece by piece. */
export interface StreamHandler {
  readonly bodyBytesMax: number;
  /** Checks what comes before the body. */
  readonly prepareStream: (call: Call, services: Services) => () => TakeBody;
}

/** A list of what the account has; what its query may say is checked by the list itself. */
const lists = (run: (call: Call, services: Services) => Reply): Handler => ({
  takesBody: false,
  prepare: (call, services) => () => run(call, services),
});

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

const onRecordings = (run: (call: Call, sessionId: string, services: Services) => Reply): Handler => ({
  takesBody: false,
  prepare: (call, services) => {
    const sessionId = ownedSession(call, services.registry);
    return () => run(call, sessionId, services);
  },
});

const startsRecording: Handler = {
  takesBody: false,
  prepare: (call, { registry, recordings }) => {
    const repeated = repeatedStart(call, registry, recordings);
    if (repeated !== undefined) return () => repeated;
    const { platform, sessionId = '' } = call.params;
    const session = registry.active(call.owner, platform as Platform, sessionId);
    return () => startRecording(call, session, recordings);
  },
};

const onAssets = (run: (call: Call, assets: Assets) => Reply): Handler => ({
  takesBody: false,
  prepare:
    (call, { assets }) =>
    () =>
      run(call, assets),
});

const onOwnAccount = (
  run: (call: Call, services: SignInServices, body: Uint8Array) => Reply,
  { takesBody = false } = {},
): Handler => ({ takesBody, prepare: (call, services) => (body) => run(call, services, body) });

export const HANDLERS: Readonly<Partial<Record<RouteName, Handler | StreamHandler>>> = {
  createSession: onAccount(createSession, { takesBody: true }),
  listSessions: lists((call, { registry, cursors }) => listSessions(call, registry, cursors)),
  getSession: onAccount(getSession),
  deleteSession: onAccount(deleteSession),
  createViewerLink: onLinks(createViewerLink, { takesBody: true }),
  listViewerLinks: {
    takesBody: false,
    prepare: (call, { registry, viewerLinks, cursors }) => {
      const session = linkedSession(call, registry);
      return () => listViewerLinks(call, session, viewerLinks, cursors);
    },
  },
  revokeViewerLink: onLinks(revokeViewerLink),
  uploadAsset: {
    bodyBytesMax: LIMITS.assetBytes,
    prepareStream: (call, { assets }) => uploadAsset(call, assets),
  },
  listAssets: lists((call, { assets, cursors }) => listAssets(call, assets, cursors)),
  getAsset: onAssets(getAsset),
  deleteAsset: onAssets(deleteAsset),
  interact: onSession(interact, { takesBody: true }),
  cancelInteraction: onSession(cancelInteraction),
  openUrl: {
    takesBody: true,
    prepare: (call, { registry }) => {
      const session = openUrlSession(call, registry);
      return (body) => postOpenUrl(call, session, body);
    },
  },
  screenshot: onSession(screenshot),
  startRecording: startsRecording,
  listRecordings: onRecordings((call, sessionId, { recordings, cursors }) => {
    return listRecordings(call, sessionId, recordings, cursors);
  }),
  getRecording: onRecordings((call, sessionId, { recordings }) => getRecording(call, sessionId, recordings)),
  stopRecording: onRecordings((call, sessionId, { recordings }) => stopRecording(call, sessionId, recordings)),
  downloadRecording: onRecordings((call, sessionId, { downloads }) => downloadRecording(call, sessionId, downloads)),
  thumbnail: onAccount(thumbnail),
  signOut: onOwnAccount(signOut),
  getAccount: onOwnAccount(getAccount),
  setPassword: onOwnAccount(setPassword, { takesBody: true }),
  createKey: onOwnAccount(createKey, { takesBody: true }),
  listKeys: lists((call, services) => listKeys(call, services, services.cursors)),
  revokeKey: onOwnAccount(revokeKey),
  revokeAll: onOwnAccount(revokeAll, { takesBody: true }),
  listTokens: lists((call, services) => listTokens(call, services, services.cursors)),
  revokeToken: onOwnAccount(revokeToken),
  usage: onOwnAccount(usage),
  readDeviceRequest: onOwnAccount(readDeviceRequest),
  decideDeviceRequest: onOwnAccount(decideDeviceRequest, { takesBody: true }),
  doctor: { takesBody: false, prepare: (call, services) => () => doctor(call, services) },
};
