import { ServiceError } from '@runcloud/protocol/terms';
import { DeviceFault } from '../device/fault.ts';
import type { Clock } from '../flow/clock.ts';
import { withTimeout } from '../flow/timeout.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import type { SessionRow } from '../store/session-row.ts';
import type { AppClaim, ClaimApps } from './app-claim.ts';
import type { Lease } from './lease.ts';
import type { Leases } from './leases.ts';
import type { LeftSession } from './request-logs.ts';
import type { SessionRegistry } from './session-registry.ts';
import { SessionStart } from './session-start.ts';

/** How long the start waits for a device that is offered and does not answer. Nobody is served before. */
const DEVICE_MS_MAX = 15_000;
const TRY_EVERY_MS = 500;

export interface TakeUpOptions {
  readonly registry: Pick<SessionRegistry, 'takeUp'>;
  readonly leases: Pick<Leases, 'retake'>;
  readonly claimApps: ClaimApps;
  readonly clock: Clock;
  /** Told why the device of a session is not back. */
  readonly onLost: (sessionId: string, reason: string) => void;
}

export interface TakenUp {
  /** The ids of the sessions that go on. */
  readonly live: readonly string[];
  /** Of those whose device is not there any more. */
  readonly lost: readonly string[];
}

/**
 * Goes on with the sessions whose process was killed, and whose devices run on. Each gets its device before anybody else can ask for it.
 * @param rows of the sessions that were active
 */
export async function takeUp(
  rows: readonly SessionRow[],
  left: ReadonlyMap<string, LeftSession>,
  options: TakeUpOptions,
): Promise<TakenUp> {
  const live: string[] = [];
  const lost: string[] = [];
  await Promise.all(
    rows.map(async (row) => {
      const found = left.get(row.id);
      if (!found?.isInTime) return;
      const reason = await takeUpOne(row, found, options);
      if (reason === undefined) live.push(row.id);
      else {
        lost.push(row.id);
        options.onLost(row.id, reason);
      }
    }),
  );
  return { live, lost };
}

/** Gives the reason when it does not go on. */
async function takeUpOne(
  row: SessionRow,
  { content, past }: LeftSession,
  { registry, leases, claimApps, clock }: TakeUpOptions,
): Promise<string | undefined> {
  const { target, historyTexts, historyElements } = content;
  const lease = leases.retake(target, row);
  if (!lease) return 'This host does not offer the device any more.';
  const apps = claimed(row, claimApps);
  const start = new SessionStart(opened(row, lease, apps, clock));
  try {
    const device = await withTimeout(DEVICE_MS_MAX, clock, start.device);
    registry.takeUp(row, lease, device, apps, {
      ...(historyTexts && { historyTexts }),
      ...(historyElements && { historyElements }),
      past,
    });
    return undefined;
  } catch (error) {
    start.abandon(error);
    lease.end('failed');
    apps.release();
    return error instanceof Error ? error.message : String(error);
  }
}

/** Its apps are on the device: the claim keeps their uploads, which may be gone by now. */
function claimed(row: SessionRow, claimApps: ClaimApps): AppClaim {
  try {
    return claimApps(row, row.platform, row.installAssets);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { apps: () => [], release: () => undefined };
  }
}

/** A device may have to be found again first, as by adb. */
async function opened(row: SessionRow, lease: Lease, apps: AppClaim, clock: Clock): Promise<RemoteDevice> {
  for (const endMs = clock.monotonicMs() + DEVICE_MS_MAX; ; ) {
    try {
      return await lease.open(row.orientation, apps.apps(), row.id);
    } catch (error) {
      const mayCome = error instanceof DeviceFault && (error.kind === 'unavailable' || error.kind === 'unreachable');
      if (!mayCome || clock.monotonicMs() + TRY_EVERY_MS >= endMs) throw error;
    }
    await new Promise<void>((resolve) => void clock.schedule(TRY_EVERY_MS, resolve));
  }
}
