import { isAnswered, requestIdOf, type ServerMessage, ServiceError } from '@runcloud/protocol';
import type { Clock } from '../flow/clock.ts';
import { timestampNow } from '../flow/timestamp.ts';
import { refuse } from '../interaction/acknowledge.ts';
import type { LiveSession } from '../session/live-session.ts';

/**
 * The refusal of a message: a `result` if it has a request id and is answered, else an `error`.
 *
 * @param map the message, as far as it was read
 */
export function refusalOf(
  map: Readonly<Record<string, unknown>>,
  error: ServiceError,
  { facts, lease: { deviceId: device, leaseId } }: Pick<LiveSession, 'facts' | 'lease'>,
  clock: Clock,
): ServerMessage {
  const requestId = requestIdOf(map);
  if (requestId === undefined || !isAnswered(map)) {
    const { code, message } = error;
    return { type: 'error', code, message, ...(requestId === undefined ? {} : { requestId }) };
  }
  const { id: sessionId, platform } = facts;
  const action = nameOf(map.type === 'interaction' ? map.action : map.type);
  const lease = map.type === 'open-url' ? { device, leaseId } : {};
  const named = { requestId, sessionId, platform, ...(action === undefined ? {} : { action }), ...lease };
  return { type: 'result', ...refuse(named, error.toBody(), timestampNow(clock), clock) };
}

const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z.-]{1,64}$/.test(value) ? value : undefined;

/** Of a message of this type, which may be any text. */
export const unknownMessage = (type: string): ServiceError =>
  new ServiceError(
    'unknown_message',
    `This service does not know the message "${type.slice(0, 64).replace(/[^\x20-\x7e]/g, '?')}".`,
  );
