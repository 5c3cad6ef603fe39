import type { Platform } from '@runcloud/protocol';
import type { Logger } from 'pino';
import { type IssuedKey, LOCAL_ACCOUNT } from './account/accounts.ts';
import type { Inspection } from './device/driver.ts';
import type { Clock } from './flow/clock.ts';
import { RetentionClock } from './recording/retention-clock.ts';
import type { Owner } from './session/session-record.ts';
import type { Settings } from './settings.ts';
import { Purge } from './store/purge.ts';
import { type AccountBlock, openAccounts } from './wiring/accounts.ts';
import { openDevices } from './wiring/devices.ts';
import { type FileBlock, openFiles } from './wiring/files.ts';
import { type Foundation, type Own, openFoundation } from './wiring/foundation.ts';
import { openGateway } from './wiring/gateway.ts';
import { beginHistoryUploads, openHistory, openHistoryReads } from './wiring/history.ts';
import { endOthers, openRequestLogs, openSessions, takeUpSessions } from './wiring/sessions.ts';

export interface App {
  /** The address on which it listens. */
  readonly url: string;
  /** The key that the first start creates; it is shown once. */
  readonly firstKey: IssuedKey | undefined;
  /** Link of the first start, which signs in to the dashboard once. */
  readonly signInUrl: string | undefined;
  /** The state of a live session's device, for tests; no client can request it. */
  inspect(owner: Pick<Owner, 'accountId'>, platform: Platform, sessionId: string): Promise<Inspection>;
  /** Ends every session, then the listener, and releases everything else. */
  close(): Promise<void>;
}

/** Includes the start of the log thread, which is slow on a busy machine. Nobody is served yet, so nobody waits for it. */
const FIRST_SYNC_MS_MAX = 60_000;

/**
 * Starts the service. Each block of `wiring/` hands the resources that it opens to `own`; `close` disposes of them.
 * @param clock replaces the machine's in tests
 */
export async function startApp(settings: Settings, logger: Logger, clock?: Clock): Promise<App> {
  const owned: (() => void | Promise<void>)[] = [];
  const close = async () => {
    for (const release of owned.splice(0).reverse()) await release();
  };
  try {
    return { ...(await start(settings, logger, (release) => owned.push(release), clock)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  settings: Settings,
  logger: Logger,
  own: Own,
  ownClock: Clock | undefined,
): Promise<Omit<App, 'close'>> {
  const foundation = await openFoundation(settings, logger, own, ownClock);
  const accounts = openAccounts(foundation);
  const devices = await openDevices(foundation);
  const files = openFiles(foundation, accounts);
  const history = openHistory(foundation);
  const requestLogs = openRequestLogs(foundation);
  const registry = openSessions(foundation, accounts, devices, files, history, requestLogs);
  const takenUp = await takeUpSessions(foundation, devices, files, requestLogs, registry);
  const historyReads = openHistoryReads(foundation, files, history);
  await openGateway(foundation, accounts, devices, files, historyReads, registry);

  // Recovers the state of an earlier process only after this one listens. No request is served before this returns.
  endOthers(foundation, requestLogs, takenUp);
  recover(foundation, files);
  beginHistoryUploads(foundation, files, history);
  const first = ensureAccount(foundation, accounts);
  await beginService(foundation);
  beginPurge(foundation);
  return {
    url: foundation.listening.url,
    ...first,
    inspect: async (owner, platform, sessionId) => registry.active(owner, platform, sessionId).device.inspect(),
  };
}

function recover({ logger, onFault }: Foundation, { recordings, assets, removeOrphans }: FileBlock): void {
  assets.storeAll().catch(onFault);
  const unfinished = recordings.begin();
  if (unfinished > 0) logger.warn({ recordings: unfinished }, 'recordings of a server that was killed are finalized');
  const orphans = removeOrphans();
  if (orphans > 0) logger.warn({ files: orphans }, 'files of uploads and snapshots that never ended are removed');
}

function ensureAccount(
  { settings: { apiKey, fleet }, logger, publicUrl }: Foundation,
  { accounts, services }: AccountBlock,
): Pick<App, 'firstKey' | 'signInUrl'> {
  // A host has no credentials: the edges say who asks.
  if (fleet?.role === 'host') return { firstKey: undefined, signInUrl: undefined };
  const isFirstStart = accounts.list().length === 0;
  const firstKey = apiKey === undefined ? accounts.ensureLocalAccount() : undefined;
  const former = apiKey === undefined ? 0 : accounts.ensureGivenKey(LOCAL_ACCOUNT, apiKey).revoked;
  if (former > 0) logger.warn('RUNCLOUD_API_KEY was changed: the key that it gave before is revoked');
  return { firstKey, signInUrl: isFirstStart ? publicUrl() + services.links.signIn(LOCAL_ACCOUNT).path : undefined };
}

/** Waits until the first key, the link and the signing secrets are on disk: they are shown once or used from now on. */
async function beginService({ store, replica, settings }: Foundation): Promise<void> {
  store.beginService();
  await replica?.begun();
  await store.durable(FIRST_SYNC_MS_MAX).catch((error) => {
    throw store.failure === undefined
      ? error
      : new Error(`the disk of ${settings.dataDir} has failed: ${store.failure}`);
  });
}

function beginPurge({ store, clock, own, onFault }: Foundation): void {
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
}
