import { type Acknowledgement, REQUEST_ID_PATTERN, ServiceError } from '@runcloud/protocol';
import type { RequestObserver } from '../interaction/request.ts';
import type { CallTo } from './call.ts';
import { acknowledgementReply, json } from './reply.ts';

const REQUEST_ID = new RegExp(REQUEST_ID_PATTERN);

type InteractReply = ReturnType<typeof acknowledgementReply>;

/** `POST .../interactions`: answers with the terminal acknowledgement. A disconnect does not cancel the interaction. */
export function interact({ session, body }: CallTo<'interact'>): Promise<InteractReply> {
  session.touch();
  return new Promise((resolve) => session.interactions.submit(body, new RestListener(resolve)));
}

/** An observer that waits only for the end of its request. */
class RestListener implements RequestObserver {
  readonly #resolve: (reply: InteractReply) => void;

  constructor(resolve: (reply: InteractReply) => void) {
    this.#resolve = resolve;
  }

  settled(acknowledgement: Acknowledgement): void {
    this.#resolve(acknowledgementReply(acknowledgement));
  }
}

/** `DELETE .../interactions/{requestId}`: tells whether the interaction was pending. */
export function cancelInteraction({ params: { requestId }, session }: CallTo<'cancelInteraction'>) {
  if (!REQUEST_ID.test(requestId)) throw new ServiceError('invalid_interaction', '"requestId" is not a request id.');
  session.touch();
  return json(200, { ok: true, requestId, cancelled: session.interactions.cancel(requestId) } as const);
}
