import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Platform } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import type { Logger } from 'pino';
import { AccountServices } from './account/account-services.ts';
import { Accounts, type IssuedKey, LOCAL_ACCOUNT } from './account/accounts.ts';
import { Authenticator } from './account/authenticator.ts';
import { CredentialWatch } from './account/credential-watch.ts';
import { KNOWN_BROWSER_PURPOSE } from './account/known-browsers.ts';
import { RateLimiters } from './account/rate-limiters.ts';
import { ViewerLinks } from './account/viewer-links.ts';
import { VIEWER_TOKEN_PURPOSE, ViewerTokens } from './account/viewer-tokens.ts';
import { AssetFiles } from './asset/asset-files.ts';
import { AssetQuota } from './asset/asset-quota.ts';
import { Assets } from './asset/assets.ts';
import { ControlSockets } from './control/control-sockets.ts';
import { checkServerMessage } from './control/message-check.ts';
import { UpgradeGate } from './control/upgrade.ts';
import type { Inspection } from './device/driver.ts';
import { createClock } from './flow/clock.ts';
import { CURSOR_PURPOSE, Cursors } from './flow/cursors.ts';
import { DeadlineWheel } from './flow/deadline-wheel.ts';
import { FairScheduler } from './flow/fair-scheduler.ts';
import { SessionInteractions } from './interaction/session-interactions.ts';
import { HostPool } from './link/host-pool.ts';
import type { Port } from './link/messages.ts';
import { PackageReader } from './link/package-reader.ts';
import { RecordingFinisher } from './link/recording-finisher.ts';
import type { RemoteDevice } from './link/remote-device.ts';
import { gatewayRows } from './link/tap-rows.ts';
import { portToWorker } from './link/worker-port.ts';
import { FaultLog } from './observe/fault-log.ts';
import type { OnFault } from './observe/log-ids.ts';
import { Metrics } from './observe/metrics.ts';
import { startPackageProcess } from './packages/package-process.ts';
import { VIRTUAL_MODELS } from './phone/models.ts';
import { toRecordingRecord } from './recording/recording-record.ts';
import { RecordingServices } from './recording/recording-services.ts';
import { RetentionClock } from './recording/retention-clock.ts';
import { RETRIEVAL_REFERENCE_PURPOSE } from './recording/retrieval-references.ts';
import { answerFault } from './rest/answer-check.ts';
import { constantDocument } from './rest/constant-document.ts';
import { Credentials } from './rest/credentials.ts';
import { RestFacade } from './rest/facade.ts';
import { oauthMetadata } from './rest/oauth.ts';
import { openApiDocument } from './rest/openapi.ts';
import { ScreenFanOut } from './screen/screen-fan-out.ts';
import { DeviceFinder } from './session/device-finder.ts';
import type { Lease } from './session/lease.ts';
import { Leases } from './session/leases.ts';
import { LiveSession } from './session/live-session.ts';
import type { Owner } from './session/session-record.ts';
import { SessionRegistry } from './session/session-registry.ts';
import type { Settings } from './settings.ts';
import { signingPurposes } from './signing-purposes.ts';
import type { HttpReply } from './socket/http.ts';
import { listen } from './socket/listener.ts';
import { lockDataDirectory } from './store/data-lock.ts';
import { databasePath } from './store/database.ts';
import { Purge } from './store/purge.ts';
import type { SessionRow } from './store/session-row.ts';
import { Store } from './store/store.ts';
import { bundleForBrowsers } from './viewer/bundle.ts';
import { DashboardPage } from './viewer/dashboard-page.ts';
import { NOT_FOUND_PAGE } from './viewer/not-found-page.ts';
import { ViewerFiles } from './viewer/viewer-files.ts';
import { ViewerPage } from './viewer/viewer-page.ts';

export interface App {
  /** The address that is listened on. */
  readonly url: string;
  /** The key that was made because there was none; it is shown once. */
  readonly firstKey: IssuedKey | undefined;
  /** Signs in to the dashboard once, on the first start. */
  readonly signInUrl: string | undefined;
  /** What a live session's device tells of itself, for tests; no client can ask for it. */
  inspect(owner: Pick<Owner, 'accountId'>, platform: Platform, sessionId: string): Promise<Inspection>;
  /** Ends every session, then the listener; nothing of the app is left. */
  close(): Promise<void>;
}

/** The thread that waits for the disk has still to start, which takes its time on a busy machine; nobody is served yet. */
const FIRST_SYNC_MS_MAX = 60_000;

/** Wires the service and starts it. Everything that owns a resource is made here and disposed of in `close`. */
export async function startApp(settings: Settings, logger: Logger): Promise<App> {
  const owned: (() => void | Promise<void>)[] = [];
  const dispose = async () => {
    for (const release of owned.splice(0).reverse()) await release();
  };
  try {
    return { ...(await wire(settings, logger, (release) => owned.push(release))), close: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** @param own takes what disposes of a resource; the last one made is the first to go */
async function wire(
  settings: Settings,
  logger: Logger,
  own: (release: () => void | Promise<void>) => void,
): Promise<Omit<App, 'close'>> {
  const faults = new FaultLog(logger, { monotonicMs: () => performance.now() });
  const onFault: OnFault = (error, about) => {
    store.notice(error);
    faults.tell(error, about);
  };
  const startThread = <Out, In>(thread: string, boot: string, workerData?: string): Port<Out, In> =>
    portToWorker(new Worker(new URL(boot, import.meta.url), { workerData }), {
      onFault,
      onCrash: (err) => logger.error({ thread, err }, 'a thread crashed'),
    });
  const clock = createClock(onFault);
  const metrics = new Metrics();

  // Store, accounts, keys.
  own(lockDataDirectory(settings.dataDir));
  const store: Store = new Store(databasePath(settings.dataDir), {
    clock,
    startLog: (path) => startThread('log', './store/log-boot.mjs', path),
    onFailed: (reason) =>
      logger.fatal({ reason }, 'the disk keeps nothing any more: restart the service when it is well'),
    onTrouble: onFault,
  });
  own(() => store.end());
  const accounts = new Accounts(store, clock);
  const authenticator = new Authenticator({ store, clock, onError: onFault });
  own(() => authenticator.close());
  const cursors = new Cursors(store.secrets.get(CURSOR_PURPOSE));
  const watch = new CredentialWatch({
    store,
    clock,
    purposes: signingPurposes,
    onRotated: (purpose) => {
      logger.warn({ purpose }, 'a signing secret was changed');
      if (purpose !== VIEWER_TOKEN_PURPOSE) return;
      registry.forgetAddresses();
      sockets.revokeTokens();
    },
    onNewEpoch: (accountId) => {
      logger.warn({ accountId }, 'everything that opened the account was revoked');
      registry.forgetAddresses();
      sockets.revokeAccount(accountId);
    },
    onError: onFault,
  });
  own(() => watch.close());
  const tokens = new ViewerTokens(watch.secretOf(VIEWER_TOKEN_PURPOSE), clock, watch.epochOf);
  const onRevoked = (holder: string) => sockets.revoke(holder);
  const account = new AccountServices({
    store,
    clock,
    accounts,
    authenticator,
    browserSecret: watch.secretOf(KNOWN_BROWSER_PURPOSE),
    onAllRevoked: () => watch.look(),
    onRevoked,
  });

  // Hosts and their devices.
  const spawnHost = () => gatewayRows(startThread('host', './host/boot.mjs'));
  const hosts = new HostPool(Math.max(1, availableParallelism() - 1), spawnHost, { onFault, log: logger });
  own(() => hosts.close());
  const diagnose = () => hosts.link(0).link.ask('diagnose', 0, { tools: settings.tools }).answered;
  const scopeOf = (platform: Platform) => ({ openUrl: settings.openUrl.includes(platform) });
  const stocks = settings.devices.flatMap((offer) =>
    offer.driver === 'virtual'
      ? [{ ...offer, descriptor: VIRTUAL_MODELS[offer.platform], scope: scopeOf(offer.platform) }]
      : [],
  );
  const leases = new Leases(stocks, hosts, {
    clock,
    onHealth: ({ deviceId, descriptor: { driver, model }, healthy }, reason) => {
      if (healthy) logger.info({ deviceId, driver, model }, 'the device is ready');
      else logger.warn({ deviceId, driver, model, reason }, 'the device cannot be offered');
    },
  });
  own(() => leases.close());
  const finder = new DeviceFinder({
    queries: settings.devices.flatMap((offer) =>
      offer.driver === 'virtual' ? [] : [{ ...offer, tools: settings.tools }],
    ),
    ask: (query) => hosts.link(0).link.ask('discover', 0, { query }).answered,
    onFound: ({ platform, target, descriptor }) => {
      leases.add({ platform, target, descriptor, count: 1, scope: scopeOf(platform) });
    },
    clock,
  });
  own(() => finder.close());
  await finder.begin();

  // Recordings: captured by hosts, finished by a thread of its own, so that hashing delays neither sockets nor devices.
  const finisher = new RecordingFinisher({
    spawn: () => startThread('finisher', './finisher/boot.mjs'),
    clock,
    log: logger,
  });
  own(() => finisher.close());
  const recordingServices = new RecordingServices({
    store: store.recordings,
    events: store.recordingEvents,
    finisher,
    clock,
    random: Math.random,
    folder: join(settings.dataDir, 'recordings'),
    secret: watch.secretOf(RETRIEVAL_REFERENCE_PURPOSE),
    bounds: { maxDurationMs: settings.recordingMaxMs, headroomBytes: settings.diskHeadroom.runningBytes },
    startHeadroomBytes: settings.diskHeadroom.startBytes,
    durable: () => store.durable(),
    onMoved: (row) => {
      metrics.recordingMoved(row.platform, row.status);
      // Its thread takes longer to start than a stop wants to wait.
      if (row.status === 'recording') finisher.warm();
      const recording = toRecordingRecord(row);
      registry.tell(row.sessionId, { type: 'event', event: 'recording', recording });
    },
    onFault,
    onClockDoubted: () =>
      logger.error('the wall clock was set: expired recordings are kept until it has stood for a while'),
  });
  own(() => recordingServices.close());
  const { recordings, downloads } = recordingServices;

  // Uploaded apps, and the processes that read them.
  const reader = new PackageReader({
    spawn: () => startPackageProcess(),
    clock,
    onCrash: (reason) => logger.warn({ reason }, 'a package ended the process that read it'),
  });
  own(() => reader.close());
  const files = new AssetFiles(join(settings.dataDir, 'assets'));
  const headroomBytes = settings.diskHeadroom.startBytes;
  const commit = <T>(write: () => T) => store.commit(write);
  const quota = new AssetQuota(settings.assetQuota.ofAccount, settings.assetQuota.inAll, store.assets.sizes());
  const assets = new Assets({ store: store.assets, files, quota, reader, clock, commit, headroomBytes });

  // Sessions and their interactions.
  const deadlines = new DeadlineWheel(clock, { onFault });
  own(() => deadlines.close());
  const createLive = (row: SessionRow, lease: Lease, device: RemoteDevice): LiveSession => {
    const interactions = new SessionInteractions({
      identity: { sessionId: row.id, platform: row.platform },
      device,
      clock,
      deadlines,
      onEnded: ({ action, ending, durationMs }) => {
        if (ending) metrics.interactionEnded(row.platform, action, ending.status, durationMs);
      },
      onUnresponsive: () => registry.fail(row.id, 'device_unresponsive'),
      turn: (task) => scheduler.addUnbounded(row.accountId, task),
      onFault,
    });
    metrics.sessionStarted(row.platform);
    const screens = new ScreenFanOut({ device, clock, figures: (encoding) => metrics.screens(encoding) });
    return new LiveSession({ facts: row, lease, device, interactions, screens, orientation: row.orientation }, clock);
  };
  const publicUrl = () => settings.publicUrl ?? url;
  const viewerUrl = (sessionId: string, token: string) => `${publicUrl()}/view/${sessionId}?token=${token}`;
  const registry = new SessionRegistry({
    store: store.sessions,
    leases,
    clock,
    claimApps: (owner, platform, assetIds) => assets.claim(owner, platform, assetIds),
    creations:
      settings.rateLimit === 'off'
        ? undefined
        : new RateLimiters(LIMITS.sessionCreationsPerSecond, clock, LIMITS.sessionCreationsAtOnce),
    createLive,
    onFault,
    onEnding: ({ facts }) => recordings.endOf(facts.id),
    onEnded: ({ facts }) => metrics.sessionEnded(facts.platform),
    viewerUrl: ({ id: sessionId, accountId, expiresAtMs }) => {
      return viewerUrl(sessionId, tokens.sign({ sessionId, accountId, role: 'control', expiresAtMs }));
    },
  });
  const viewerLinks = new ViewerLinks({
    store: store.viewerLinks,
    tokens,
    clock,
    viewerUrl,
    onRevoked: (linkId) => sockets.revokeLink(linkId),
  });
  const verifyToken = (token: string) => viewerLinks.verify(token);

  // Limits of each key.
  const { rateLimit } = settings;
  const limited = rateLimit !== 'off';
  const calls = limited ? new RateLimiters(rateLimit.requestsPerSecond, clock) : undefined;
  const messages = limited ? new RateLimiters(rateLimit.messagesPerSecond, clock) : undefined;
  // Limits of each network, for whoever shows no key.
  const keyless = limited ? new RateLimiters(keylessPerSecond(rateLimit), clock) : undefined;
  const keylessAllowance = (network: string) => keyless?.of({ holder: network });

  // Whatever one account sends, the loop stays free for the others.
  const scheduler = new FairScheduler({
    nowMs: clock.monotonicMs,
    defer: (task) => void setImmediate(task),
    bytesMax: LIMITS.waitingBytesPerAccount,
    onFault,
  });

  // The control socket and REST: two faces of the same services.
  let draining = false;
  const gate = new UpgradeGate({
    clock,
    registry,
    authenticate: (authorization) => account.authenticate(authorization),
    verifyToken,
    ownOrigin: publicUrl,
    rateLimiter: (holder) => messages?.of(holder),
    keylessAllowance,
  });
  const sockets = new ControlSockets({
    gate,
    registry,
    recorded: { recordings, cursors },
    clock,
    scheduler,
    check: settings.checkAnswers ? checkServerMessage : undefined,
    onCount: (change) => (change === 1 ? metrics.socketOpened() : metrics.socketClosed()),
    onFault,
  });
  metrics.watchBuffered(() => sockets.buffered);
  authenticator.onRevoked(onRevoked);
  const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const viewerPage = new ViewerPage({ registry, verifyToken, ownOrigin: publicUrl });
  const viewerFiles = new ViewerFiles(bundleForBrowsers);
  const dashboardPage = new DashboardPage(publicUrl);
  const credentials = new Credentials(account, publicUrl);
  const http = new RestFacade({
    clock,
    commit: (task, how) => store.commit(task, how),
    scheduler,
    services: {
      assets,
      registry,
      viewerLinks,
      recordings,
      downloads,
      cursors,
      account,
      clock,
      diagnose,
      ownOrigin: publicUrl,
      unready: () => (draining ? 'draining' : store.failure === undefined ? undefined : 'the disk has failed'),
      metrics: async () => text(200, await metrics.text(), metrics.contentType),
      openApi: constantDocument(() => openApiDocument(version, publicUrl())),
      oauthMetadata: constantDocument(() => oauthMetadata(publicUrl())),
      pages: {
        viewer: (sessionId, token) => viewerPage.serve(sessionId, token),
        viewerFile: (name, head) => viewerFiles.serve(name, head),
        dashboard: (page, head) => dashboardPage.serve(page, head),
      },
    },
    authenticate: (head) => credentials.of(head),
    rateLimiter: (holder) => calls?.of(holder),
    keylessAllowance,
    notFoundPage: NOT_FOUND_PAGE,
    refuseUpgrade: (head) => {
      const outcome = sockets.upgrade(head);
      return 'status' in outcome ? outcome : text(500, '');
    },
    answerFault: settings.checkAnswers ? answerFault : undefined,
    onAnswered: (route, status) => metrics.requestAnswered(route, status),
    onFault,
  });

  const { host, port } = settings;
  const listener = await listen({ host, port, http, sockets, onFault });
  own(() => listener.close());
  own(() => {
    draining = true;
    recordings.drain();
    return registry.drain();
  });
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${listener.port}`;

  // Only a server that listens changes what a start before it left behind. No request is served before this returns.
  const lost = store.sessions.endUnfinished('server_restarted', Math.floor(clock.wallMs()));
  if (lost > 0) logger.warn({ sessions: lost }, 'sessions of a server that was killed have ended');
  const unfinished = recordingServices.begin();
  if (unfinished > 0) logger.warn({ recordings: unfinished }, 'recordings of a server that was killed are finalized');
  const orphans = files.removeOrphans(new Set(store.assets.checksums()));
  if (orphans > 0) logger.warn({ files: orphans }, 'files of uploads that never ended are removed');
  const { apiKey } = settings;
  const isFirstStart = accounts.list().length === 0;
  const firstKey = apiKey === undefined ? accounts.ensureLocalAccount() : undefined;
  const former = apiKey === undefined ? 0 : accounts.ensureGivenKey(LOCAL_ACCOUNT, apiKey).revoked;
  if (former > 0) logger.warn('RUNCLOUD_API_KEY was changed: the key that it gave before is revoked');
  const signInUrl = isFirstStart ? publicUrl() + account.links.signIn(LOCAL_ACCOUNT).path : undefined;
  store.beginService();
  // The key and the link are shown once, and what is signed from now on needs the secrets of this start.
  await store.durable(FIRST_SYNC_MS_MAX).catch((error) => {
    throw store.failure === undefined
      ? error
      : new Error(`the disk of ${settings.dataDir} has failed: ${store.failure}`);
  });

  const trusted = new RetentionClock(clock, store.recordings.clockSeenAtMs());
  const purge = new Purge({
    kinds: store.ended(),
    whenFree: (task) => store.whenFree(task),
    clock,
    trustedMs: () => trusted.nowMs(),
    random: Math.random,
    onFault,
  });
  own(() => purge.close());
  purge.begin();

  return {
    url,
    firstKey,
    signInUrl,
    inspect: async (owner, platform, sessionId) => registry.active(owner, platform, sessionId).device.inspect(),
  };
}

/** No more than a key has. */
const keylessPerSecond = ({ requestsPerSecond }: { readonly requestsPerSecond: number }): number =>
  Math.min(requestsPerSecond, LIMITS.keylessCallsPerSecond);

function text(status: number, body: string, contentType = 'text/plain; charset=utf-8'): HttpReply {
  return { status, headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' }, body };
}
