import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { LinkRate } from '../flow/link-rate.ts';
import type { Bearer } from '../flow/quota.ts';
import type { SharedStream } from './shared-stream.ts';

/** A stream that no key watches, and the links that do. */
interface LinkStream {
  readonly stream: SharedStream;
  readonly links: ReadonlySet<string>;
  /** Whether the link that comes with the session is among them. */
  readonly hasSessionLink: boolean;
}

/**
 * Decides who may start one more stream of a session, and ends a stream of another bearer to make room: the owner's keys come first,
 * then the link that comes with the session, then viewer links, of which one without a stream takes a place of the one with the most.
 * Joining a running stream costs no encoder, and is always allowed.
 */
export class StreamQuota {
  readonly #rate: LinkRate;

  constructor(clock: Clock) {
    this.#rate = new LinkRate(LIMITS.screenStartsPerSecond, 'different screen streams', clock);
  }

  /** Throws `rate_limited` if there is no room, which tells whose quota is used up. */
  makeRoom(running: ReadonlyMap<string, SharedStream>, { name, kind }: Bearer): void {
    const { screenProfilesPerSession: most, screenProfilesForKeys: forKeys, screenProfilesPerLink: perLink } = LIMITS;
    if (kind === 'key') {
      if (running.size < most) return;
      const all = linkStreams(running);
      const displaced = mostOf(all, 0, (one) => !one.hasSessionLink) ?? all.at(-1);
      if (!displaced) throw new ServiceError('rate_limited', `The session has ${most} different screen streams.`);
      return displaced.stream.end('displaced');
    }
    this.#rate.take(name);
    const all = linkStreams(running);
    const own = all.filter(({ links }) => links.has(name)).length;
    if (own >= perLink) {
      const message = `This link has ${perLink} different screen streams, as many as one link may have. Stop one of them, or ask for the same size, quality and rate as another one.`;
      throw new ServiceError('rate_limited', message);
    }
    if (running.size < most - forKeys) return;
    // Links never take turns at a place: who is displaced has as many streams afterwards as who comes.
    const least = kind === 'session link' ? 0 : own + 2;
    const displaced = mostOf(all, least, (one) => !one.hasSessionLink && !one.links.has(name));
    if (displaced) return displaced.stream.end('displaced');
    const message =
      'The session has no more different screen streams for links. Ask for the same size, quality and rate as others, or use a key.';
    throw new ServiceError('rate_limited', message);
  }
}

function linkStreams(running: ReadonlyMap<string, SharedStream>): LinkStream[] {
  const found: LinkStream[] = [];
  for (const stream of running.values()) {
    const links = new Set<string>();
    let hasSessionLink = false;
    let hasKey = false;
    for (const { name, kind } of stream.bearers) {
      hasKey = kind === 'key';
      if (hasKey) break;
      hasSessionLink ||= kind === 'session link';
      links.add(name);
    }
    if (!hasKey) found.push({ stream, links, hasSessionLink });
  }
  return found;
}

/** The newest of the streams that fit, of the link with the most streams, which must have at least so many. */
function mostOf(all: readonly LinkStream[], least: number, fits: (one: LinkStream) => boolean): LinkStream | undefined {
  const counts = new Map<string, number>();
  for (const { links } of all) for (const link of links) counts.set(link, (counts.get(link) ?? 0) + 1);
  let found: LinkStream | undefined;
  let most = Math.max(1, least);
  for (const one of all) {
    if (!fits(one)) continue;
    // One that several watch counts as of the one with the fewest: who has few loses none for another's many.
    const count = Math.min(...[...one.links].map((link) => counts.get(link) ?? 0));
    if (count < most) continue;
    most = count;
    found = one;
  }
  return found;
}
