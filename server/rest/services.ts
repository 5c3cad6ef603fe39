import type { Finding } from '@runcloud/protocol';
import type { AccountServices } from '../account/account-services.ts';
import type { ViewerLinks } from '../account/viewer-links.ts';
import type { Assets } from '../asset/assets.ts';
import type { Clock } from '../flow/clock.ts';
import type { Cursors } from '../flow/cursors.ts';
import type { Downloads } from '../recording/downloads.ts';
import type { Recordings } from '../recording/recordings.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { HttpHead, HttpReply } from '../socket/http.ts';

/** The services behind the routes; the control socket uses the same. */
export interface Services {
  readonly account: AccountServices;
  readonly registry: SessionRegistry;
  readonly viewerLinks: ViewerLinks;
  readonly recordings: Recordings;
  readonly downloads: Downloads;
  readonly assets: Assets;
  /** Cursors of all lists. */
  readonly cursors: Cursors;
  readonly clock: Clock;
  /** The public address of the service. */
  readonly ownOrigin: () => string;
  /** Checks the host; the report contains paths, so it is only for the operator. */
  readonly diagnose: () => Promise<readonly Finding[]>;
  /** Why the service accepts no new work; `undefined` while it does. */
  readonly unready: () => string | undefined;
  readonly metrics: () => Promise<HttpReply>;
  readonly openApi: () => HttpReply;
  readonly oauthMetadata: () => HttpReply;
  readonly pages: {
    viewer(sessionId: string, token: string): HttpReply;
    viewerFile(name: string, head: HttpHead): Promise<HttpReply>;
    readonly reference: HttpReply;
    dashboard(page: string | undefined, head: HttpHead): HttpReply;
  };
}
