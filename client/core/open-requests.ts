/** A message that is answered by the `result` of the same id. */
export type RequestMessage = Readonly<Record<string, unknown>> & { readonly requestId: string };

/** A result, as far as it is read here: the SDK's declarations must not name the contract's package. */
interface Answer {
  readonly requestId: string;
}

/** A request that waits for its result. */
export interface OpenRequest<Result extends Answer> {
  readonly message: RequestMessage;
  /** Whether the same id may be sent again; a live gesture ends with its socket. */
  readonly repeatable: boolean;
  /** Receives the result. */
  readonly settle: (acknowledgement: Result) => void;
  /** Called when the socket that it was sent on is lost, if it is not repeatable. */
  readonly lost: () => void;
}

/** Maximum number of unanswered requests of one client. */
const OPEN_MAX = 1_024;

/**
 * The unanswered requests of one client, in their order. They outlive a connection: what a lost one left open is sent
 * again with the same id on the next, and the service keeps outcomes by id, so nothing happens twice.
 */
export class OpenRequests<Result extends Answer, Open extends OpenRequest<Result> = OpenRequest<Result>> {
  readonly #send: (message: RequestMessage) => boolean;
  readonly #sent: () => number;
  /** Each with its place among the messages of the connection, if it was sent. */
  readonly #open = new Map<string, { readonly request: Open; place: number }>();

  /**
   * @param send sends a message now; `false` when there is no connection
   * @param sent how many messages were sent over the connection; of no use to a client that does not resume
   */
  constructor(send: (message: RequestMessage) => boolean, sent: () => number = () => 0) {
    this.#send = send;
    this.#sent = sent;
  }

  /** A copy: requests may be opened and closed while it is read. */
  get all(): readonly Open[] {
    return [...this.#open.values()].map(({ request }) => request);
  }

  find(requestId: string): Open | undefined {
    return this.#open.get(requestId)?.request;
  }

  /** Why a request with this id cannot be opened now; `undefined` when it can. */
  refusal(requestId: string): 'duplicate_request' | 'rate_limited' | undefined {
    if (this.#open.has(requestId)) return 'duplicate_request';
    return this.#open.size >= OPEN_MAX ? 'rate_limited' : undefined;
  }

  /**
   * Adds a request and sends it. Without a connection a repeatable one is sent later; any other is lost at once.
   *
   * @returns whether it was sent
   */
  open(request: Open): boolean {
    const entry = { request, place: Number.POSITIVE_INFINITY };
    this.#open.set(request.message.requestId, entry);
    const sent = this.#send(request.message);
    if (sent) entry.place = this.#sent();
    else if (!request.repeatable) request.lost();
    return sent;
  }

  /** Forgets a request that is over without a result. */
  close({ message }: Open): void {
    this.#open.delete(message.requestId);
  }

  settle(acknowledgement: Result): void {
    const request = this.find(acknowledgement.requestId);
    this.#open.delete(acknowledgement.requestId);
    request?.settle(acknowledgement);
  }

  /**
   * Connected, for the first time or again: sends everything that is open.
   *
   * @param received how many messages the service has received over a connection that was resumed: it has what is among them
   */
  resend(received = Number.NEGATIVE_INFINITY): void {
    for (const entry of [...this.#open.values()]) {
      if (entry.place <= received) continue;
      entry.place = this.#send(entry.request.message) ? this.#sent() : Number.POSITIVE_INFINITY;
    }
  }

  /** The connection is lost: what may not be sent again is over. */
  disconnected(): void {
    for (const request of this.all) if (!request.repeatable) request.lost();
  }
}
