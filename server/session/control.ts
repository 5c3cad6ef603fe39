import { type ControlAnswer, type ControlAsk, ServiceError } from '@runcloud/protocol';
import type { Participant } from '../interaction/participant.ts';
import type { LiveSession } from './live-session.ts';

/**
 * Does what a participant asks of the control of a session. Throws `ServiceError`: `not_in_control`, `owner_required`,
 * `control_request_not_found`, `rate_limited`.
 */
export function askControl(session: LiveSession, who: Participant, ask: ControlAsk): ControlAnswer {
  const { control, controlAllowance: allowance } = session;
  // The owner's calls have a limit by their key; a guest must not use up what the owner needs.
  if (!who.isOwner && !allowance.take()) {
    const sentence = 'The viewer links of this session ask for control too often.';
    throw new ServiceError('rate_limited', sentence, { retryAfterSeconds: allowance.retryAfterSeconds });
  }
  session.touch();
  if (ask.step === 'grant' || ask.step === 'deny') control[ask.step](who, ask.participant);
  else control[ask.step](who);
  return { participant: { id: who.id, owner: who.isOwner }, control: control.state() };
}
