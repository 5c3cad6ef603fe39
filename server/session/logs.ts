import type { LogQuery } from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import { DeviceFault } from '../device/fault.ts';
import { type Clock, systemClock } from '../flow/clock.ts';
import { TimeoutError, withTimeout } from '../flow/timeout.ts';
import type { LiveSession } from './live-session.ts';

/**
 * Reads the log of the session's device, as the JSON of a `LogPage`. It does not queue behind interactions. Rejects with a
 * `ServiceError`: `unsupported_action`, `interaction_failed`, `interaction_timeout`.
 */
export async function readLogs({ device }: LiveSession, query: LogQuery, clock: Clock = systemClock): Promise<string> {
  if (!device.capabilities.logs) {
    throw new ServiceError('unsupported_action', 'The log is not supported by this device.');
  }
  try {
    return (await withTimeout(LIMITS.interactionTimeoutMs.default, clock, device.logs(query).answered)).json;
  } catch (error) {
    if (error instanceof DeviceFault) throw new ServiceError('interaction_failed', error.message);
    throw error instanceof TimeoutError ? new ServiceError('interaction_timeout') : error;
  }
}
