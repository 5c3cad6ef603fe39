import { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { LIMITS } from '@runcloud/protocol/terms';
import type { Logger } from 'pino';
import { HostRecords } from '../fleet/host-records.ts';
import { type Clock, createClock } from '../flow/clock.ts';
import { FairScheduler } from '../flow/fair-scheduler.ts';
import { WriteRetryQueue } from '../flow/write-retry-queue.ts';
import type { Port } from '../link/messages.ts';
import { portToWorker } from '../link/worker-port.ts';
import { FaultLog } from '../observe/fault-log.ts';
import type { OnFault } from '../observe/log-ids.ts';
import { Metrics } from '../observe/metrics.ts';
import type { Settings } from '../settings.ts';
import { lockDataDirectory } from '../store/data-lock.ts';
import { databasePath } from '../store/database.ts';
import type { RecordingRow } from '../store/recording-row.ts';
import { Store } from '../store/store.ts';
import { openReplica } from './replica.ts';

/** Registers a function that disposes of a resource. The last resource is disposed of first. */
export type Own = (release: () => void | Promise<void>) => void;

/** Events from one block to the blocks that are made after it. Listeners run before `emit` returns. */
export interface Signals {
  /** All viewer tokens that were signed before are invalid. */
  tokensRevoked: [];
  /** All credentials of the account are invalid. */
  accountRevoked: [accountId: string];
  /** An API key or a grant is invalid. */
  credentialRevoked: [holder: string];
  linkRevoked: [linkId: string];
  /** Another process has changed rows of these tables, or a change of this one was taken back. */
  sharedRowsChanged: [tables: ReadonlySet<string>];
  /** The status of a recording has changed. */
  recordingMoved: [row: RecordingRow];
  /** A session of this process has ended. */
  sessionEnded: [];
}

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** Opens what every block uses: log, clock, metrics, threads, the store, and the scheduler of the event loop. */
export async function openFoundation(settings: Settings, logger: Logger, own: Own, ownClock?: Clock) {
  const faults = new FaultLog(logger, { monotonicMs: () => performance.now() });
  const onFault: OnFault = (error, about) => {
    store.notice(error);
    faults.tell(error, about);
  };
  /** @param boot the thread's entry, relative to the folder `server` */
  const startThread = <Out, In>(thread: string, boot: string, workerData?: string): Port<Out, In> =>
    portToWorker(new Worker(new URL(`../${boot}`, import.meta.url), { workerData }), {
      onFault,
      onCrash: (err) => logger.error({ thread, err }, 'a thread crashed'),
    });
  const clock = ownClock ?? createClock(onFault);
  own(lockDataDirectory(settings.dataDir));
  const store: Store = new Store(databasePath(settings.dataDir), {
    clock,
    startLog: (path) => startThread('log', 'store/log-boot.mjs', path),
    onFailed: (reason) =>
      logger.fatal({ reason }, 'the disk keeps nothing any more: restart the service when it is well'),
    onTrouble: onFault,
  });
  own(() => store.end());
  const signals = new EventEmitter<Signals>();
  const { fleet } = settings;
  const replica =
    fleet?.role === 'edge' && fleet.databaseUrl !== undefined
      ? await openReplica(fleet.databaseUrl, store, {
          clock,
          onReached: (isReached, err) => {
            if (isReached) logger.info('the database is back');
            else logger.error({ err }, 'the database cannot be reached: known credentials are good for a minute');
          },
          onChanged: (tables) => void signals.emit('sharedRowsChanged', tables),
          onFault,
        })
      : undefined;
  if (replica) own(() => replica.close());
  // Before anything of an earlier start is ended or recovered.
  const outbox = fleet?.role === 'host' ? store.openOutbox() : undefined;
  const hostRecords =
    fleet?.role === 'edge' ? new HostRecords(store, clock, settings.objectStore !== undefined) : undefined;
  const writes = new WriteRetryQueue({ clock, random: Math.random, onFault });
  own(() => writes.close());
  /** The server's own address; empty until it listens. */
  const listening = { url: '' };
  return {
    settings,
    logger,
    own,
    onFault,
    startThread,
    clock,
    store,
    /** What keeps the store equal to those of the fleet's other edges. */
    replica,
    /** What a host has to tell the edges. */
    outbox,
    /** What hosts have told an edge. */
    hostRecords,
    writes,
    metrics: new Metrics(),
    signals,
    // Shares the event loop fairly, so that one account that sends much does not delay the others.
    scheduler: new FairScheduler({
      nowMs: clock.monotonicMs,
      defer: (task) => void setImmediate(task),
      rest: (ms, task) => void setTimeout(task, ms),
      bytesMax: LIMITS.waitingBytesPerAccount,
      onFault,
    }),
    listening,
    publicUrl: () => settings.publicUrl ?? listening.url,
  };
}
