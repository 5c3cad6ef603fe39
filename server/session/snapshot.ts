import { LIMITS, ServiceError } from '@runcloud/protocol';
import { INTERACTION_ENDINGS } from '../interaction/ending.ts';
import type { RequestObserver } from '../interaction/request.ts';
import { type SnapshotPlace, SnapshotRunner } from '../interaction/snapshot-runner.ts';
import type { LiveSession } from './live-session.ts';

/**
 * Keeps the state of the session's device, behind the interactions that were accepted before; the acknowledgement's `result` is a
 * `SnapshotRecord`. Throws `ServiceError` for what is not accepted: `unsupported_action`, `not_in_control`, `rate_limited`,
 * `active_session_not_found`, and what `begin` throws.
 */
export function keepSnapshot(
  session: LiveSession,
  { requestId, name }: { readonly requestId: string; readonly name: string },
  begin: () => SnapshotPlace,
  observer: RequestObserver,
): void {
  if (!session.device.capabilities.snapshots) {
    throw new ServiceError('unsupported_action', 'Snapshots are not supported by this device.');
  }
  const place = begin();
  session.touch();
  const job = {
    requestId,
    action: 'snapshot.create',
    body: { name },
    // An emulator writes its memory to the disk, and a simulator starts anew.
    timeoutMs: LIMITS.interactionTimeoutMs.max,
    endings: INTERACTION_ENDINGS,
    isForgotten: true,
  };
  // A request that ends before its turn leaves nothing to be kept.
  const settled: RequestObserver['settled'] = (acknowledgement) => {
    void place.end();
    observer.settled?.(acknowledgement);
  };
  try {
    const createRunner = (device: LiveSession['device']) => new SnapshotRunner(device, place);
    session.interactions.accept({ ...job, createRunner }, { ...observer, settled });
  } catch (error) {
    void place.end();
    throw error;
  }
}
