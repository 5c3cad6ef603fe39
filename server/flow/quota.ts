import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from './clock.ts';
import { LinkRate } from './link-rate.ts';

/**
 * What a client of a session shows: a `key` (or a grant or sign-in) of the account, the `session link` that comes with the session, or
 * one of its viewer links. Every link has quotas of its own, whichever role its sockets have; keys are the owner's, and share.
 */
export interface Bearer {
  /** Unique among the bearers of a session. */
  readonly name: string;
  readonly kind: 'key' | 'session link' | 'viewer link';
}

/** How many of something the clients of one session may have at once. */
export interface QuotaTerms {
  /** Plural, as errors name them. */
  readonly things: string;
  readonly total: number;
  /** Of these, as many only for keys. */
  readonly forKeys: number;
  /** Maximum number of one link. */
  readonly perLink: number;
  /** Of the total, as many are kept for each link until it has them, whatever the others have. */
  readonly kept: { readonly sessionLink: number; readonly viewerLink: number };
  /** How many one link may ask for in a second, with bursts of twice that; absent without a bound. */
  readonly rate?: { readonly perSecond: number; readonly things: string };
  readonly retryAfterSeconds: number;
}

/**
 * Counts what each bearer has of something that a session has a limited number of. A link can take neither what is kept for keys nor
 * what is kept for other links; so the owner always has room, and no link disturbs another one.
 */
export class Quota {
  readonly #terms: QuotaTerms;
  readonly #rate: LinkRate | undefined;
  readonly #links = new Map<string, number>();
  #used = 0;
  #ofKeys = 0;
  /** How much of what is kept for links is in use. */
  #keptInUse = 0;

  constructor(terms: QuotaTerms, clock: Clock) {
    this.#terms = terms;
    const { rate } = terms;
    this.#rate = rate && new LinkRate(rate.perSecond, rate.things, clock);
  }

  /** Throws `rate_limited`, which tells whose quota is used up, if the bearer can have no more. */
  check({ name, kind }: Bearer): void {
    const { things, total, forKeys, perLink, kept, retryAfterSeconds } = this.#terms;
    if (kind === 'key') {
      if (this.#used < total) return;
      throw new ServiceError('rate_limited', `The session has the maximum number of ${things}, ${total}.`, {
        retryAfterSeconds,
      });
    }
    const own = this.#links.get(name) ?? 0;
    if (own >= perLink) {
      const message = `This link has ${perLink} ${things}, as many as one link may have. Use fewer, or another link.`;
      throw new ServiceError('rate_limited', message, { retryAfterSeconds });
    }
    const keptForLinks = kept.sessionLink + kept.viewerLink * LIMITS.viewerLinksPerSession - this.#keptInUse;
    const keptForOthers = Math.max(0, forKeys - this.#ofKeys) + (own < keptOf(kind, kept) ? 0 : keptForLinks);
    if (this.#used + keptForOthers < total) return;
    const message = `The session has no more ${things} for links: the rest is kept for its keys and for links with fewer. Try again later, or use a key.`;
    throw new ServiceError('rate_limited', message, { retryAfterSeconds });
  }

  /** Counts one more; throws as `check` does, also for a link that asks for too many in a second. */
  take(bearer: Bearer): void {
    this.check(bearer);
    if (bearer.kind !== 'key') this.#rate?.take(bearer.name);
    this.add(bearer);
  }

  /** Counts one more that was checked before. */
  add({ name, kind }: Bearer): void {
    this.#used++;
    if (kind === 'key') {
      this.#ofKeys++;
      return;
    }
    const own = this.#links.get(name) ?? 0;
    if (own < keptOf(kind, this.#terms.kept)) this.#keptInUse++;
    this.#links.set(name, own + 1);
  }

  /** Counts one less. */
  giveBack({ name, kind }: Bearer): void {
    this.#used--;
    if (kind === 'key') {
      this.#ofKeys--;
      return;
    }
    const own = (this.#links.get(name) ?? 1) - 1;
    if (own < keptOf(kind, this.#terms.kept)) this.#keptInUse--;
    if (own === 0) this.#links.delete(name);
    else this.#links.set(name, own);
  }
}

const keptOf = (kind: Bearer['kind'], kept: QuotaTerms['kept']): number =>
  kind === 'session link' ? kept.sessionLink : kept.viewerLink;
