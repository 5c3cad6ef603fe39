import type { Finding, HostRecord } from '@runcloud/protocol';
import type { AccountServices } from '../account/account-services.ts';
import type { ViewerLinks } from '../account/viewer-links.ts';
import type { Assets } from '../asset/assets.ts';
import type { Transfers } from '../asset/transfers.ts';
import type { Clock } from '../flow/clock.ts';
import type { Cursors } from '../flow/cursors.ts';
import type { HistoryReads } from '../history/history.ts';
import type { Downloads } from '../recording/downloads.ts';
import type { Posters } from '../recording/posters.ts';
import type { Recordings } from '../recording/recordings.ts';
import type { Participants } from '../session/participants.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { Snapshots } from '../snapshot/snapshots.ts';
import type { HttpHead, HttpReply } from '../socket/http.ts';
import type { Admission } from './facade.ts';
import type { AgentCall } from './mcp.ts';
import type { WebDriverCall } from './web-driver.ts';

/** Calls of a protocol of others, answered by calls of REST that are the caller's own. */
export interface TranslatedCalls<Asked> {
  ask(
    caller: { readonly admission: Admission; readonly head: Pick<HttpHead, 'onGone'> },
    asked: Asked,
  ): Promise<HttpReply>;
}

/** The services behind the routes; the control socket uses the same. */
export interface Services {
  readonly account: AccountServices;
  readonly registry: SessionRegistry;
  readonly viewerLinks: ViewerLinks;
  /** Who acts in a session. */
  readonly participants: Participants;
  readonly recordings: Recordings;
  readonly downloads: Downloads;
  readonly posters: Posters;
  readonly history: HistoryReads;
  readonly assets: Assets;
  readonly snapshots: Snapshots;
  readonly transfers: Transfers;
  /** Cursors of all lists. */
  readonly cursors: Cursors;
  readonly clock: Clock;
  /** Answers the calls of language models. */
  readonly agents: TranslatedCalls<AgentCall>;
  readonly webDriver: TranslatedCalls<WebDriverCall>;
  /** The public address of the service. */
  readonly ownOrigin: () => string;
  /** The hosts of sessions. */
  readonly hosts: () => readonly HostRecord[];
  /** Checks the host; the report contains paths, so it is only for the operator. */
  readonly diagnose: () => Promise<readonly Finding[]>;
  /** Why the service accepts no new work; `undefined` while it does. */
  readonly unready: () => string | undefined;
  readonly metrics: () => Promise<HttpReply>;
  readonly openApi: () => HttpReply;
  readonly oauthMetadata: () => HttpReply;
  readonly pages: {
    viewer(sessionId: string, token: string, head: HttpHead): HttpReply;
    viewerFile(name: string, head: HttpHead): Promise<HttpReply>;
    readonly reference: HttpReply;
    home(head: HttpHead): HttpReply;
    dashboard(page: string | undefined, head: HttpHead, item?: string): HttpReply;
  };
}
