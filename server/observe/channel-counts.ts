/**
 * What can be wrong with the grant of a channel: `unsigned`, by no edge of the fleet; `misdirected`, for another host, start, edge or
 * channel; `reused`, shown before; `expired`; `revoked`, for a credential that has ended.
 */
export const CHANNEL_REFUSALS = ['unsigned', 'misdirected', 'reused', 'expired', 'revoked'] as const;
export type ChannelRefusal = (typeof CHANNEL_REFUSALS)[number];

export interface ChannelFigures {
  /** Channels that were not opened; a reason that is absent was never met. */
  readonly refusals: Readonly<Partial<Record<ChannelRefusal, number>>>;
  /** Channels that ended since a frame was lost on its way to the host. */
  readonly gaps: number;
}

/** Counts what goes wrong at a host with the channels of edges. A host is read by nobody: it tells the edges, whose metrics they become. */
export class ChannelCounts {
  readonly #refusals: Partial<Record<ChannelRefusal, number>> = {};
  #gaps = 0;

  refused(reason: ChannelRefusal): void {
    this.#refusals[reason] = (this.#refusals[reason] ?? 0) + 1;
  }

  gap(): void {
    this.#gaps += 1;
  }

  /** Since the start of the host. */
  get figures(): ChannelFigures {
    return { refusals: { ...this.#refusals }, gaps: this.#gaps };
  }
}
