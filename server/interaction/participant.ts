/**
 * One of those who may have control of a session: an API key, a signed-in program or a browser of the account, with all of its
 * sockets and calls; or a single socket of a viewer token, which many people may share.
 */
export class Participant {
  /** Opaque, and the same for as long as the session lives: others name a participant by it. */
  readonly id: string;
  /** Acts for the account that owns the session. */
  readonly isOwner: boolean;
  /** A socket that has nothing but itself: it is gone when it closes. */
  readonly isSocket: boolean;
  readonly #readLabel: () => string;
  #label: string | undefined;

  /** @param readLabel gives a name for people; called once, when somebody is to be told it */
  constructor(parts: Pick<Participant, 'id' | 'isOwner' | 'isSocket'>, readLabel: () => string) {
    this.id = parts.id;
    this.isOwner = parts.isOwner;
    this.isSocket = parts.isSocket;
    this.#readLabel = readLabel;
  }

  get label(): string {
    this.#label ??= this.#readLabel();
    return this.#label;
  }
}
