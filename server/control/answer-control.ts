import type { ClientMessage, ControlAsk, ServerMessage } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { elapsedMs, timestampNow } from '../flow/timestamp.ts';
import { acknowledge } from '../interaction/acknowledge.ts';
import type { Participant } from '../interaction/participant.ts';
import { askControl } from '../session/control.ts';
import type { LiveSession } from '../session/live-session.ts';

type ControlMessage = Extract<
  ClientMessage,
  { type: 'control.request' | 'control.take' | 'control.release' | 'control.grant' | 'control.deny' }
>;

/** Performs a `control.*` message at once and returns its `result`. Throws `ServiceError`, as `askControl` does. */
export function answerControl(
  session: LiveSession,
  who: Participant | undefined,
  message: ControlMessage,
  clock: Clock,
): ServerMessage {
  if (!who) throw new ServiceError('control_role_required');
  const accepted = timestampNow(clock);
  const { id: sessionId, platform } = session.facts;
  const { requestId, type: action } = message;
  const ending = { status: 'completed', result: { ...askControl(session, who, askOf(message)) } } as const;
  return {
    type: 'result',
    ...acknowledge({ sessionId, platform }, { requestId, action, accepted }, ending, elapsedMs(accepted, clock)),
  };
}

function askOf(message: ControlMessage): ControlAsk {
  switch (message.type) {
    case 'control.grant':
      return { step: 'grant', participant: message.participant };
    case 'control.deny':
      return { step: 'deny', participant: message.participant };
    case 'control.request':
      return { step: 'request' };
    case 'control.take':
      return { step: 'take' };
    case 'control.release':
      return { step: 'release' };
  }
}
