import { readFileSync } from 'node:fs';
import { LIMITS } from '@runcloud/protocol/terms';
import { RateLimiters } from '../account/rate-limiters.ts';
import { ControlSockets } from '../control/control-sockets.ts';
import { checkServerMessage } from '../control/server-message-check.ts';
import { UpgradeGate } from '../control/upgrade.ts';
import { HostLog } from '../fleet/host-log.ts';
import { CURSOR_PURPOSE, Cursors } from '../flow/cursors.ts';
import { LateRefusals } from '../flow/late-refusals.ts';
import type { HistoryReads } from '../history/history.ts';
import { ChannelCounts } from '../observe/channel-counts.ts';
import { bundleForBrowsers } from '../pages/bundle.ts';
import { DashboardPage } from '../pages/dashboard-page.ts';
import { NOT_FOUND_PAGE } from '../pages/not-found-page.ts';
import { REFERENCE_PAGE } from '../pages/reference-page.ts';
import { ViewerFiles } from '../pages/viewer-files.ts';
import { ViewerPage } from '../pages/viewer-page.ts';
import { answerFault } from '../rest/answer-check.ts';
import { Credentials } from '../rest/authenticate.ts';
import { constantDocument } from '../rest/constant-document.ts';
import { RestFacade } from '../rest/facade.ts';
import type { AgentCall } from '../rest/mcp.ts';
import { oauthMetadata } from '../rest/oauth.ts';
import { openApiDocument } from '../rest/openapi.ts';
import type { WebDriverCall } from '../rest/web-driver.ts';
import { Participants } from '../session/participants.ts';
import type { WantedSocket } from '../socket/connection.ts';
import type { HttpHead, HttpReply } from '../socket/http.ts';
import { Translator, type TranslatorOptions } from '../translation/translator.ts';
import type { AccountBlock } from './accounts.ts';
import type { DeviceBlock } from './devices.ts';
import { openEdge } from './edge.ts';
import type { FileBlock } from './files.ts';
import type { Foundation } from './foundation.ts';
import { openCallers, openHost } from './host.ts';
import type { SessionBlock } from './sessions.ts';
import { socketLibrary } from './socket-library.ts';
import { readTlsFiles } from './tls-files.ts';

/** The name of a service alone, in the list of hosts. */
const LOCAL_HOST = 'local';

const PACKAGE = new URL('../package.json', import.meta.url);

/** Opens the listener for the control socket, REST and the pages, which all use the same services. */
export async function openGateway(
  foundation: Foundation,
  accounts: AccountBlock,
  devices: DeviceBlock,
  files: FileBlock,
  history: HistoryReads,
  registry: SessionBlock,
): Promise<void> {
  const {
    settings,
    logger,
    clock,
    store,
    replica,
    outbox,
    hostRecords,
    metrics,
    signals,
    scheduler,
    publicUrl,
    own,
    onFault,
    startThread,
  } = foundation;
  const {
    assets,
    transfers,
    snapshots,
    recordings: { recordings, downloads, posters },
  } = files;
  const { services: account, viewerLinks } = accounts;
  const { host, port, rateLimit, checkAnswers, fleet } = settings;
  const cursors = new Cursors(store.secrets.get(CURSOR_PURPOSE));
  const verifyToken = (token: string) => viewerLinks.verify(token);

  // Each credential has limits of its own; unauthenticated callers of one network share one set of the same limits.
  const limitersOf = (perSecond: number) => new RateLimiters(perSecond, clock);
  const calls = rateLimit === 'off' ? undefined : limitersOf(rateLimit.requestsPerSecond);
  const messages = rateLimit === 'off' ? undefined : limitersOf(rateLimit.messagesPerSecond);
  const guestMessages =
    rateLimit === 'off' ? undefined : limitersOf(Math.min(rateLimit.messagesPerSecond, LIMITS.guestMessagesPerSecond));
  const keyless =
    rateLimit === 'off' ? undefined : limitersOf(Math.min(rateLimit.requestsPerSecond, LIMITS.keylessCallsPerSecond));
  const keylessAllowance = (network: string) => keyless?.of({ holder: network });

  // On a host, an edge says who asks.
  const callers = fleet?.role === 'host' ? openCallers(foundation, accounts) : undefined;
  const channelCounts = new ChannelCounts();
  const hostLog = callers && new HostLog({ lines: logger, counts: channelCounts, clock });
  const participants = new Participants({ nameOf: (actor) => callers?.nameOf(actor) ?? account.nameOf(actor) });
  const credentials = new Credentials(account, publicUrl);
  const edge =
    fleet?.role === 'edge' && hostRecords
      ? await openEdge(foundation, hostRecords, fleet, accounts, files, credentials, { registry, cursors })
      : undefined;
  const browserOf = (head: Pick<HttpHead, 'header'>) =>
    callers ? callers.browserOf(head) : credentials.ofBrowser(head);
  const sockets = new ControlSockets({
    gate: new UpgradeGate({
      clock,
      registry,
      authenticate: (head) => callers?.of(head) ?? account.authenticate(head.header('authorization')),
      bearerOf: (head) => (callers ? callers.of(head)?.keyId : head.header('authorization')),
      verifyToken,
      visitorOf: (head) => (callers ? callers.browserOf(head) : credentials.ofOwnPage(head)),
      ownOrigin: publicUrl,
      rateLimiter: (holder) => (holder.guest ? guestMessages : messages)?.of(holder),
      keylessAllowance,
    }),
    registry,
    participants,
    services: { recordings, cursors, history },
    clock,
    scheduler,
    check: checkAnswers ? checkServerMessage : undefined,
    onCount: (change) => (change === 1 ? metrics.socketOpened() : metrics.socketClosed()),
    onResume: (resumed) => metrics.resumeAsked(resumed),
    onSettled: hostLog && ((acknowledgement, channelId) => hostLog.interaction(acknowledgement, channelId)),
    onFault,
  });
  metrics.watchBuffered(() => sockets.buffered);
  signals.on('tokensRevoked', () => sockets.revokeTokens());
  signals.on('accountRevoked', (accountId) => sockets.revokeAccount(accountId));
  signals.on('credentialRevoked', (holder) => sockets.revoke(holder));
  signals.on('linkRevoked', (linkId) => sockets.revokeLink(linkId));

  let draining = false;
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };
  const viewerFiles = new ViewerFiles(bundleForBrowsers);
  const dashboardPage = new DashboardPage(publicUrl, settings.objectStore?.url);
  const viewerPage = new ViewerPage({
    registry,
    verifyToken,
    accountOf: (head) => browserOf(head)?.accountId,
    ownOrigin: publicUrl,
  });
  const call: TranslatorOptions<unknown>['call'] = (head, admission, body) => {
    const outcome = http.begin(head, admission);
    return 'receive' in outcome ? outcome.receive(body) : (outcome as HttpReply | Promise<HttpReply>);
  };
  const agents = new Translator<AgentCall>({
    what: 'agents',
    spawn: () => startThread('agents', 'agents/boot.mjs', version),
    statuses: [200, 202, 400, 404, 406],
    call,
    clock,
  });
  own(() => agents.close());
  const webDriver = new Translator<WebDriverCall>({
    what: 'WebDriver',
    spawn: () => startThread('webdriver', 'webdriver/boot.mjs'),
    statuses: [200, 400, 404, 405, 500],
    call,
    clock,
  });
  own(() => webDriver.close());
  const relay = edge?.relay(sockets);
  const http: RestFacade = new RestFacade({
    clock,
    commit: (task, how) => store.commit(task, how),
    scheduler,
    refusals: new LateRefusals({ waitMs: LIMITS.refusedCallMs, clock }),
    services: {
      assets,
      snapshots,
      transfers,
      registry,
      viewerLinks,
      participants,
      recordings,
      downloads,
      posters,
      history,
      cursors,
      agents,
      webDriver,
      account,
      clock,
      hosts: () =>
        edge?.hosts() ?? [
          {
            name: LOCAL_HOST,
            state: 'here',
            isDraining: false,
            sessions: registry.liveCount,
            devices: devices.leases.count(),
          },
        ],
      diagnose: devices.diagnose,
      ownOrigin: publicUrl,
      unready: () => {
        if (draining) return 'draining';
        if (store.failure !== undefined) return 'the disk has failed';
        return replica === undefined || replica.isTrusted ? undefined : 'the database has not answered for too long';
      },
      metrics: async () => text(200, await metrics.text(), metrics.contentType),
      openApi: constantDocument(() => openApiDocument(version, publicUrl())),
      oauthMetadata: constantDocument(() => oauthMetadata(publicUrl())),
      pages: {
        viewer: (sessionId, token, head) => viewerPage.serve(sessionId, token, head),
        viewerFile: (name, head) => viewerFiles.serve(name, head),
        reference: REFERENCE_PAGE,
        home: (head) => dashboardPage.serveHome(head),
        dashboard: (page, head, item) => dashboardPage.serve(page, head, item),
      },
    },
    authenticate: (head) => callers?.of(head) ?? credentials.of(head),
    sessionToken(head) {
      const token = credentials.sessionToken(head);
      return token === undefined ? undefined : verifyToken(token);
    },
    rateLimiter: (holder) => calls?.of(holder),
    keylessAllowance,
    forward: edge && ((asked) => edge.forwarding.of(asked)),
    notFoundPage: NOT_FOUND_PAGE,
    refuseUpgrade: (head) => {
      const outcome = (relay ?? sockets).upgrade(head);
      if (outcome instanceof Promise || 'status' in outcome) return outcome;
      return 'later' in outcome ? outcome.later.then(refusalIn) : refusalIn(outcome);
    },
    answerFault: checkAnswers ? answerFault : undefined,
    onAnswered: (route, status) => metrics.requestAnswered(route, status),
    onFault,
  });

  if (fleet?.role === 'host' && callers && hostLog && outbox) {
    await openHost(foundation, outbox, fleet, accounts, devices, files, registry, {
      callers,
      http,
      sockets,
      log: hostLog,
      channelCounts,
    });
    own(() => {
      draining = true;
      recordings.drain();
      return registry.drain();
    });
    return;
  }
  const library = socketLibrary(settings.sockets);
  if (library.notice !== undefined) logger.warn({ sockets: library.name }, library.notice);
  const tls = settings.tls && readTlsFiles(settings.tls);
  const listener = await library.listen({ host, port, tls, http, sockets: relay ?? sockets, onFault });
  own(() => listener.close());
  own(() => {
    draining = true;
    relay?.drain();
    recordings.drain();
    return registry.drain();
  });
  foundation.listening.url = `http${tls ? 's' : ''}://${host.includes(':') ? `[${host}]` : host}:${listener.port}`;
  edge?.listens();
}

/** The refusal of a request that is not an upgrade; no such request is accepted. */
function refusalIn(decided: HttpReply | WantedSocket): HttpReply {
  if ('status' in decided) return decided;
  decided.unwanted?.();
  return text(500, '');
}

function text(status: number, body: string, contentType = 'text/plain; charset=utf-8'): HttpReply {
  return { status, headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' }, body };
}
