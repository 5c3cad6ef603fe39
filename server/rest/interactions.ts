import { type Acknowledgement, type Observed, REQUEST_ID_PATTERN, ServiceError } from '@runcloud/protocol';
import type { Participant } from '../interaction/participant.ts';
import type { RequestObserver } from '../interaction/request.ts';
import type { CallTo } from './call.ts';
import { type Sender, senderOf } from './control.ts';
import { acknowledgementReply, json } from './reply.ts';
import type { Services } from './services.ts';

const REQUEST_ID = new RegExp(REQUEST_ID_PATTERN);

type InteractReply = ReturnType<typeof acknowledgementReply>;

/** `POST .../interactions`: answers with the terminal acknowledgement. A disconnect does not cancel the interaction. */
export function interact(call: CallTo<'interact'>, services: Services): Promise<InteractReply> {
  const { named, session, body } = call;
  named.requestId = body.requestId;
  session.touch();
  const sender = senderOf(call, services);
  return new Promise((resolve) => session.interactions.submit(body, new RestListener(resolve, sender, body.observe)));
}

/** An observer that waits only for the end of its request, and of its observation. */
class RestListener implements RequestObserver {
  readonly origin: number;
  readonly participant: Participant | undefined;
  readonly isForced: boolean;
  readonly #resolve: (reply: InteractReply) => void;
  readonly #observes: boolean;
  #acknowledgement: Acknowledgement | undefined;

  constructor(
    resolve: (reply: InteractReply) => void,
    { origin, participant, isForced = false }: Sender,
    observes = false,
  ) {
    this.origin = origin;
    this.participant = participant;
    this.isForced = isForced;
    this.#resolve = resolve;
    this.#observes = observes;
  }

  settled(acknowledgement: Acknowledgement): void {
    this.#acknowledgement = acknowledgement;
    if (!this.#observes || !acknowledgement.ok) this.#resolve(acknowledgementReply(acknowledgement));
  }

  observed(_requestId: string, observed: Observed): void {
    if (this.#acknowledgement) this.#resolve(acknowledgementReply({ ...this.#acknowledgement, observed }));
  }
}

/** `DELETE .../interactions/{requestId}`: tells whether the interaction was pending. */
export function cancelInteraction({ params: { requestId }, session }: CallTo<'cancelInteraction'>) {
  if (!REQUEST_ID.test(requestId)) throw new ServiceError('invalid_interaction', '"requestId" is not a request id.');
  session.touch();
  return json(200, { ok: true, requestId, cancelled: session.interactions.cancel(requestId) } as const);
}
