import type { ROUTES, Route, RouteName } from '@runcloud/protocol';
import type { TakeBody } from '../socket/http.ts';
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
import type { AnswersOf, CallOf, EarlyCallOf, IsList, Pieces, Reply } from './call.ts';
import { readClipboard, writeClipboard } from './clipboard.ts';
import { postControl, releaseControl } from './control.ts';
import { deleteFile, listFiles, pullFile, pushFile } from './files.ts';
import { readHistory, readInteraction, recordingHistory } from './history.ts';
import { cancelInteraction, interact } from './interactions.ts';
import { logs } from './logs.ts';
import { mcp } from './mcp.ts';
import { addMedia } from './media.ts';
import { oauthDevice, oauthRevoke, oauthToken } from './oauth.ts';
import { postOpenUrl } from './open-url.ts';
import { health, ready } from './probes.ts';
import {
  downloadRecording,
  getRecording,
  listRecordings,
  recordingPoster,
  repeatedStart,
  startRecording,
  stopRecording,
} from './recordings.ts';
import { json } from './reply.ts';
import { retrieve } from './retrieval.ts';
import { screenshot } from './screenshot.ts';
import type { Services } from './services.ts';
import { createSession, deleteSession, getSession, listSessions } from './sessions.ts';
import { acceptInvitation, readInvitation, signIn, signInByLink } from './sign-in.ts';
import { createSnapshot, deleteSnapshot, getSnapshot, listSnapshots } from './snapshots.ts';
import { thumbnail } from './thumbnail.ts';
import { postCheckUi, postWaitUi, ui } from './ui.ts';
import { createViewerLink, listViewerLinks, revokeViewerLink } from './viewer-links.ts';
import { deleteWebDriver, postWebDriver, readWebDriver } from './web-driver.ts';

/** The handler of a route. For a streamed body it returns the function that admits the body, for a list the answer's pieces. */
export type Handler<R extends Route> = (
  call: CallOf<R>,
  services: Services,
) => R extends { body: { kind: 'stream' } } ? () => TakeBody : IsList<R> extends true ? Pieces<AnswersOf<R>> : Reply<R>;

/** A route that can be answered before its session is looked up. */
export interface EarlyHandler<R extends Route> {
  readonly early: (call: EarlyCallOf<R>, services: Services) => Reply<R> | undefined;
  readonly run: Handler<R>;
}

type Routes = typeof ROUTES;

/** The handler of each route, except the control socket. */
export type Handlers = {
  readonly [Name in Exclude<RouteName, 'control'>]: Handler<Routes[Name]> | EarlyHandler<Routes[Name]>;
};

export const HANDLERS: Handlers = {
  health,
  ready,
  metrics: (_call, { metrics }) => metrics(),
  openapi: (_call, { openApi }) => openApi(),
  viewerPage: ({ head, params, secret }, { pages }) => pages.viewer(params.sessionId, secret, head),
  viewerFile: ({ head, params }, { pages }) => pages.viewerFile(params.file, head),
  reference: (_call, { pages }) => pages.reference,
  home: ({ head }, { pages }) => pages.home(head),
  dashboardPage: ({ head }, { pages }) => pages.dashboard(undefined, head),
  dashboardSubpage: ({ head, params }, { pages }) => pages.dashboard(params.page, head),
  dashboardItem: ({ head, params }, { pages }) => pages.dashboard(params.page, head, params.item),
  createSession,
  listSessions,
  getSession,
  deleteSession,
  createViewerLink,
  listViewerLinks,
  revokeViewerLink,
  thumbnail,
  uploadAsset,
  listAssets,
  getAsset,
  deleteAsset,
  createSnapshot,
  listSnapshots,
  getSnapshot,
  deleteSnapshot,
  askControl: postControl,
  releaseControl,
  interact,
  cancelInteraction,
  readInteraction,
  history: readHistory,
  openUrl: postOpenUrl,
  readClipboard,
  writeClipboard,
  addMedia,
  listFiles,
  pullFile,
  pushFile,
  deleteFile,
  logs,
  screenshot,
  ui,
  checkUi: postCheckUi,
  waitUi: postWaitUi,
  startRecording: { early: repeatedStart, run: startRecording },
  listRecordings,
  getRecording,
  stopRecording,
  downloadRecording,
  recordingPoster,
  recordingHistory,
  retrieveRecording: retrieve,
  signIn,
  signInByLink,
  readInvitation,
  acceptInvitation,
  oauthDevice,
  oauthToken,
  oauthRevoke,
  oauthMetadata: (_call, { oauthMetadata }) => oauthMetadata(),
  signOut,
  getAccount,
  setPassword,
  createKey,
  listKeys,
  revokeKey,
  revokeAll,
  listTokens,
  revokeToken,
  usage,
  readDeviceRequest,
  decideDeviceRequest,
  mcp,
  readWebDriver,
  postWebDriver,
  deleteWebDriver,
  listHosts: (_call, { hosts }) => json(200, { hosts: [...hosts()] }),
  doctor: async (_call, { diagnose }) => json(200, { findings: [...(await diagnose())] }),
};
