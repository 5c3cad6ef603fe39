import type { Principal } from '../account/authenticator.ts';
import type { RequestObserver } from '../interaction/request.ts';
import { askControl } from '../session/control.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { CallTo } from './call.ts';
import { originOf } from './origin.ts';
import { json } from './reply.ts';
import type { Services } from './services.ts';

/** `POST .../control`: asks for control, takes it, or grants it. */
export function postControl({ session, owner, body }: CallTo<'askControl'>, { participants }: Services) {
  return json(200, askControl(session, participants.of(owner, session.facts.id), body));
}

/** `DELETE .../control`: gives control up, or withdraws a request. */
export function releaseControl({ session, owner }: CallTo<'releaseControl'>, { participants }: Services) {
  return json(200, askControl(session, participants.of(owner, session.facts.id), { step: 'release' }));
}

/** Who sends an input over REST, for the history and for the lease of control. */
export interface Sender extends Pick<RequestObserver, 'participant' | 'isForced'> {
  readonly origin: number;
}

export function senderOf(
  { session, owner, query }: { session: LiveSession; owner: Principal; query: { force?: string } },
  { participants }: Services,
): Sender {
  const origin = originOf(session, owner);
  if (query.force === 'true') return { origin, isForced: true };
  // Nobody is told apart while everybody may send input.
  return session.control.isFree ? { origin } : { origin, participant: participants.of(owner, session.facts.id) };
}
