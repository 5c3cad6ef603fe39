import { ACCOUNT_ROUTES } from './account.ts';
import { AGENT_ROUTES } from './agents.ts';
import { ASSET_ROUTES } from './assets.ts';
import { CONTROL_ROUTES } from './control.ts';
import { FILE_ROUTES } from './files.ts';
import { PAGE_ROUTES } from './pages.ts';
import { RECORDING_ROUTES } from './recordings.ts';
import type { Route } from './route.ts';
import { SESSION_ROUTES } from './sessions.ts';
import { SIGN_IN_ROUTES } from './sign-in.ts';
import { SNAPSHOT_ROUTES } from './snapshots.ts';
import { VIEWER_LINK_ROUTES } from './viewer-links.ts';
import { WEB_DRIVER_ROUTES } from './web-driver.ts';

/** Every route of the service. */
export const ROUTES = {
  ...PAGE_ROUTES,
  ...SESSION_ROUTES,
  ...VIEWER_LINK_ROUTES,
  ...ASSET_ROUTES,
  ...SNAPSHOT_ROUTES,
  ...CONTROL_ROUTES,
  ...FILE_ROUTES,
  ...AGENT_ROUTES,
  ...WEB_DRIVER_ROUTES,
  ...RECORDING_ROUTES,
  ...SIGN_IN_ROUTES,
  ...ACCOUNT_ROUTES,
} as const;

export type RouteName = keyof typeof ROUTES;

/** A chapter of the reference. */
export interface Chapter {
  readonly name: string;
  readonly description: string;
  readonly routes: Readonly<Record<string, Route>>;
}

/** The order in which a reader needs them. */
export const CHAPTERS: readonly Chapter[] = [
  {
    name: 'Sessions',
    description: 'A session holds one device for your account, until you release it or it expires.',
    routes: SESSION_ROUTES,
  },
  {
    name: 'Control',
    description:
      'Input, screenshots, URLs and the clipboard: what you do with the device. For input with the least delay, live pictures and ' +
      'events there is a WebSocket too, `GET /service/{platform}/{sessionId}/control`, with binary messages; ' +
      'protocol/README.md of the project describes it, and the SDK speaks it.',
    routes: CONTROL_ROUTES,
  },
  {
    name: 'Files',
    description: 'Files of the device: of the folder that it shares among its apps, and of the folders of apps.',
    routes: FILE_ROUTES,
  },
  {
    name: 'Recordings',
    description: "MP4 files of a session's display, kept for seven days.",
    routes: RECORDING_ROUTES,
  },
  { name: 'Apps', description: 'Apps that you upload once and install in sessions.', routes: ASSET_ROUTES },
  {
    name: 'Snapshots',
    description: 'States of devices, kept under names, from which sessions are started.',
    routes: SNAPSHOT_ROUTES,
  },
  {
    name: 'Agents',
    description: 'Tools for language models: to see a phone and to use it.',
    routes: AGENT_ROUTES,
  },
  { name: 'Viewer links', description: 'Links that open one session in a browser.', routes: VIEWER_LINK_ROUTES },
  { name: 'Account', description: 'Your account, its keys, its programs and its usage.', routes: ACCOUNT_ROUTES },
  {
    name: 'Signing in programs',
    description: 'OAuth for programs without a browser: the device flow (RFC 8628).',
    routes: SIGN_IN_ROUTES,
  },
  { name: 'Service', description: 'Probes, metrics and this reference; no credential is needed.', routes: PAGE_ROUTES },
];
