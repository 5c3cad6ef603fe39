import { join } from 'node:path';
import { LIMITS } from '@runcloud/protocol/terms';
import { AssetFiles } from '../asset/asset-files.ts';
import { AssetObjects } from '../asset/asset-objects.ts';
import { AssetQuota } from '../asset/asset-quota.ts';
import { Assets, type AssetsElsewhere } from '../asset/assets.ts';
import { Transfers } from '../asset/transfers.ts';
import { HistoryObjects } from '../history/history-objects.ts';
import { PackageReader } from '../link/package-reader.ts';
import { RecordingFinisher } from '../link/recording-finisher.ts';
import { startPackageLauncher, startPackageProcess } from '../packages/package-process.ts';
import { RecordingServices } from '../recording/recording-services.ts';
import { RETRIEVAL_REFERENCE_PURPOSE } from '../recording/retrieval-references.ts';
import { Snapshots } from '../snapshot/snapshots.ts';
import type { AccountBlock } from './accounts.ts';
import type { Foundation } from './foundation.ts';

export type FileBlock = ReturnType<typeof openFiles>;

const NO_STORE =
  'This fleet accepts no uploads: its edges have no object store to keep them in (the settings RUNCLOUD_S3_…).';

/** Opens recordings and uploaded apps, with the finisher thread and the package processes that read their files. */
export function openFiles(foundation: Foundation, { secretOf }: AccountBlock) {
  const { settings, logger, clock, store, hostRecords, writes, metrics, signals, own, onFault, startThread } =
    foundation;
  const { objectStore } = settings;
  const { runningBytes, startBytes } = settings.diskHeadroom;

  // A thread of its own finishes recordings, so that hashing delays neither sockets nor devices.
  const finisher = new RecordingFinisher({
    spawn: () => startThread('finisher', 'finisher/boot.mjs', objectStore && JSON.stringify(objectStore)),
    clock,
    log: logger,
  });
  own(() => finisher.close());
  const historyObjects = objectStore && new HistoryObjects(finisher);
  const historyRows = hostRecords?.histories ?? {
    due: (endedByMs: number, countMax: number) => store.sessions.historiesDue(endedByMs, countMax),
    deleted: async (id: string) => void (await store.commit(() => store.sessions.setHistory(id, null))),
  };
  const recordings = new RecordingServices({
    store: store.recordings,
    events: store.recordingEvents,
    ...(hostRecords && { told: hostRecords.recordings }),
    writes,
    finisher,
    hasObjectStore: objectStore !== undefined,
    ...(historyObjects && {
      histories: {
        // As long as the record of its session.
        due: (atMs, countMax) => historyRows.due(atMs - LIMITS.endedKeptMs, countMax),
        remove: (id) => historyObjects.remove(id),
        deleted: (id) => historyRows.deleted(id),
      },
    }),
    clock,
    random: Math.random,
    folder: join(settings.dataDir, 'recordings'),
    secret: secretOf(RETRIEVAL_REFERENCE_PURPOSE),
    bounds: { maxDurationMs: settings.recordingMaxMs, headroomBytes: runningBytes },
    startHeadroomBytes: startBytes,
    durable: () => store.durable(),
    onMoved: (row) => {
      metrics.recordingMoved(row.platform, row.status);
      // Starts the finisher thread ahead of the stop, which would otherwise have to wait for it.
      if (row.status === 'recording') finisher.warm();
      signals.emit('recordingMoved', row);
    },
    onFault,
    onClockDoubted: () =>
      logger.error('the wall clock was set: expired recordings are kept until it has stood for a while'),
  });
  own(() => recordings.close());
  if (objectStore) {
    // The service starts all the same: recordings wait on the disk.
    finisher.store({ act: 'reach' }).catch((err: unknown) => logger.error({ err }, 'the object store cannot be used'));
  }

  const launcher = startPackageLauncher({
    clock,
    onLost: (reason) =>
      logger.warn({ reason }, 'the launcher of the package processes was lost; the next start replaces it'),
  });
  own(() => launcher.close());
  const reader = new PackageReader({
    spawn: () => startPackageProcess(launcher),
    clock,
    onCrash: (reason) => logger.warn({ reason }, 'a package ended the process that read it'),
  });
  own(() => reader.close());
  const files = new AssetFiles(join(settings.dataDir, 'assets'));
  const assetsElsewhere: AssetsElsewhere = {};
  const { fleet } = settings;
  const isOneOfEdges = fleet?.role === 'edge' && fleet.databaseUrl !== undefined;
  const assets = new Assets({
    store: store.assets,
    files,
    quota: new AssetQuota(settings.assetQuota.ofAccount, settings.assetQuota.inAll, store.assets.sizes()),
    reader,
    clock,
    commit: (write, how) => store.commit(write, how),
    headroomBytes: startBytes,
    elsewhere: assetsElsewhere,
    ...(isOneOfEdges && objectStore && { objects: new AssetObjects({ finisher, files, onFault }) }),
    ...(isOneOfEdges && !objectStore && { whyClosed: NO_STORE }),
  });
  signals.on('sharedRowsChanged', (tables) => {
    if (tables.has('asset')) assets.follow(store.assets.sizes()).catch(onFault);
  });
  const passing = new AssetFiles(join(settings.dataDir, 'transfers'));
  const snapshots = new Snapshots({
    store: store.snapshots,
    folder: join(settings.dataDir, 'snapshots'),
    clock,
    commit: (write, how) => store.commit(write, how),
  });
  return {
    recordings,
    /** Absent without an object store. */
    historyObjects,
    assets,
    /** Filled by what opens the way to the fleet. */
    assetsElsewhere,
    transfers: new Transfers(passing, startBytes),
    snapshots,
    /** Removes the files of uploads and snapshots that never ended and returns their number. */
    removeOrphans: () =>
      files.removeOrphans(new Set(store.assets.checksums())) +
      snapshots.removeOrphans() +
      passing.removeOrphans(new Set()),
  };
}
