import { createHash } from 'node:crypto';
import { LIMITS, newId } from '@runcloud/protocol/terms';
import type { Principal } from '../account/authenticator.ts';
import { Participant } from '../interaction/participant.ts';

/** Whoever acts for an account. */
type Actor = Pick<Principal, 'accountId' | 'keyId' | 'kind' | 'token'>;

export interface ParticipantsOptions {
  /** The name that its owner gave a key, a program or an account. */
  readonly nameOf: (actor: Actor) => string | undefined;
}

const NAMES: Readonly<Record<NonNullable<Actor['kind']> | 'key', string>> = {
  key: 'API key',
  token: 'Program',
  dashboard: 'Owner',
};

/** Ids to remember: each socket of a key needs that of the key. */
const REMEMBERED_MAX = 10_000;

/** Makes the participants of sessions. */
export class Participants {
  readonly #options: ParticipantsOptions;
  readonly #ids = new Map<string, string>();

  constructor(options: ParticipantsOptions) {
    this.#options = options;
  }

  /** A key, a program, a signed-in browser or a token of the session: the same one in each of its calls and on each of its sockets. */
  of(actor: Actor, sessionId: string): Participant {
    const parts = {
      id: this.#idOf(`${sessionId} ${actor.keyId}`),
      isOwner: actor.token === undefined,
      isSocket: false,
    };
    return new Participant(parts, () => this.#nameOf(actor));
  }

  /** Guests of the session are told the id, which must not tell them of the credential. */
  #idOf(name: string): string {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = `prt_${createHash('sha256').update(name).digest('hex').slice(0, 22)}`;
    if (this.#ids.size >= REMEMBERED_MAX) this.#ids.clear();
    this.#ids.set(name, id);
    return id;
  }

  /**
   * One socket of a viewer token.
   * @param isLink whether the token is that of a viewer link
   * @param visitor who is signed in in the browser that opened it, if that is the session's account
   */
  ofSocket(isLink: boolean, visitor: Actor | undefined): Participant {
    const parts = { id: newId('prt'), isOwner: visitor !== undefined, isSocket: true };
    return new Participant(parts, () => (visitor ? this.#nameOf(visitor) : isLink ? 'Viewer link' : 'Session link'));
  }

  #nameOf(actor: Actor): string {
    if (actor.token) return actor.token.linkId === undefined ? 'Session link' : 'Viewer link';
    return shownName(this.#options.nameOf(actor) ?? '') || NAMES[actor.kind ?? 'key'];
  }
}

/** What is not seen, or changes the direction of the text around it. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]+/gu;

/** A name in one line, as much of it as others are shown. */
export const shownName = (name: string): string =>
  [...name.replace(UNSEEN, ' ').trim()].slice(0, LIMITS.participantLabelCharacters).join('');
