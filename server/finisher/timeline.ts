import type { JournalEntry, SampleEntry } from '../capture/journal.ts';
import { ticksToUs } from '../capture/track.ts';

/** The description of a sample in the part file. */
export interface FoundSample {
  readonly atTicks: number;
  readonly durationTicks: number;
  readonly bytes: number;
  readonly crc: number;
}

/** Slightly more than a tick, so that no two samples get the same time. */
const SAMPLE_US_MIN = 12;

/**
 * Gives the samples of a part file their true times. The journal's times take precedence as far as it reaches: it was
 * written with the samples, and only it tells how long the last picture was shown. If the part file goes further, its own
 * times are used; if it ends earlier, its tail is lost.
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

  /** Time of the next sample, in microseconds; `undefined` if it contradicts the journal, and all later samples are then ignored. */
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

  /** End of the last sample's picture, and length of the recording that is lost after it; in microseconds. */
  end(): { readonly endUs: number; readonly lostTailUs: number } {
    const soonestUs = this.#lastUs + this.#lastDurationUs;
    const lost = this.#samples[this.#kept];
    if (!lost) return { endUs: Math.max(this.#knownUs, soonestUs), lostTailUs: 0 };
    // The last remaining picture was visible until the first lost one.
    const endUs = Math.max(lost.atUs, soonestUs);
    return { endUs, lostTailUs: Math.max(0, this.#knownUs - endUs) };
  }
}
