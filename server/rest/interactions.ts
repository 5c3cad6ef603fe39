import {
  type Acknowledgement,
  checkInteraction,
  faultSentence,
  REQUEST_ID_PATTERN,
  requestIdOf,
  ServiceError,
} from '@runcloud/protocol';
import type { RequestObserver } from '../interaction/request.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { HttpReply } from '../socket/http.ts';
import { type Call, newRequestId, readBody } from './call.ts';
import { acknowledgementReply, json } from './reply.ts';

const REQUEST_ID = new RegExp(REQUEST_ID_PATTERN);

/** `POST .../interactions`: answers with the terminal acknowledgement. A caller that leaves changes nothing. */
export function interact(call: Call, session: LiveSession, body: Uint8Array): Promise<HttpReply> {
  const value = readBody(call, body, 'invalid_interaction');
  nameRequest(call, value);
  const checked = checkInteraction(value, newRequestId);
  if (!checked.ok) throw new ServiceError('invalid_interaction', faultSentence(checked.fault));
  session.touch();
  return new Promise((resolve) => session.interactions.submit(checked.value, new RestListener(resolve)));
}

/** A call that waits for the end of its request; nothing else is of use to it. */
class RestListener implements RequestObserver {
  readonly #resolve: (reply: HttpReply) => void;

  constructor(resolve: (reply: HttpReply) => void) {
    this.#resolve = resolve;
  }

  settled(acknowledgement: Acknowledgement): void {
    this.#resolve(acknowledgementReply(acknowledgement));
  }
}

/** `DELETE .../interactions/{requestId}`: tells whether something was there to cancel. */
export function cancelInteraction({ params }: Call, session: LiveSession): HttpReply {
  const requestId = params.requestId ?? '';
  if (!REQUEST_ID.test(requestId)) throw new ServiceError('invalid_interaction', '"requestId" is not a request id.');
  session.touch();
  return json(200, { ok: true, requestId, cancelled: session.interactions.cancel(requestId) });
}

/** Takes over what even a refused body says of itself. */
function nameRequest({ named }: Call, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { action } = value as { action?: unknown };
  const requestId = requestIdOf(value as Record<string, unknown>);
  if (requestId !== undefined) named.requestId = requestId;
  if (typeof action === 'string' && /^[A-Za-z-]{1,64}$/.test(action)) named.action = action;
}
