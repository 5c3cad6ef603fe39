import type { JournalEntry, SampleEntry } from '../capture/journal.ts';
import { ticksToUs } from '../capture/track.ts';

/** A sample as the part file describes it. */
export interface FoundSample {
  readonly atTicks: number;
  readonly durationTicks: number;
  readonly bytes: number;
  readonly crc: number;
}

/** A little more than a tick. */
const SAMPLE_US_MIN = 12;

/**
 * Tells the samples of a part file their true times. The journal's word counts as far as it reaches: it was written with
 * the samples, and knows how long the last picture was shown. A part file that goes further is believed; one that ends
 * before the journal does has lost its tail.
 */
export class Timeline {
  readonly #samples: readonly SampleEntry[];
  readonly #knownUs: number;
  #kept = 0;
  #lastUs = 0;
  #lastDurationUs = SAMPLE_US_MIN;

  constructor(journal: readonly JournalEntry[]) {
    this.#samples = journal.filter((entry) => entry.kind === 'sample');
    this.#knownUs = journal.reduce((latestUs, { atUs }) => Math.max(latestUs, atUs), 0);
  }

  /** When the next sample was shown, in microseconds; `undefined` when it is not what the journal says, and nothing after it counts. */
  place(found: FoundSample): number | undefined {
    const entry = this.#samples[this.#kept];
    if (entry && (entry.bytes !== found.bytes || entry.crc !== found.crc)) return undefined;
    const atUs = entry?.atUs ?? ticksToUs(found.atTicks);
    if (this.#kept > 0 && atUs < this.#lastUs + SAMPLE_US_MIN) return undefined;
    this.#kept++;
    this.#lastUs = atUs;
    this.#lastDurationUs = entry ? SAMPLE_US_MIN : Math.max(SAMPLE_US_MIN, ticksToUs(found.durationTicks));
    return atUs;
  }

  /** When the last sample's picture ended, and how much was recorded after that; in microseconds. */
  end(): { readonly endUs: number; readonly lostTailUs: number } {
    const soonestUs = this.#lastUs + this.#lastDurationUs;
    const lost = this.#samples[this.#kept];
    if (!lost) return { endUs: Math.max(this.#knownUs, soonestUs), lostTailUs: 0 };
    // Until then the last picture that is left was on the screen.
    const endUs = Math.max(lost.atUs, soonestUs);
    return { endUs, lostTailUs: Math.max(0, this.#knownUs - endUs) };
  }
}
