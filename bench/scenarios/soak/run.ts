import { setTimeout as sleep } from 'node:timers/promises';
import { MEMORY_WATCH } from '../../processes/memory-use.ts';
import { MixedService, type MixedSize } from '../mixed/service-bed.ts';
import { type SoakSample, soakSample } from './figures.ts';

/** Number of samples of a run that is long enough: one per minute in half an hour. */
const SAMPLES = 30;
/** On a slow machine the run takes longer rather than having fewer samples, which would show nothing. */
const SAMPLES_MIN = 4;
/** Besides connecting viewers and finishing recordings, an interval must have time for some hundred taps. */
const INTERVAL_MS = { min: 5_000, max: 60_000 } as const;
/** Measured share of each interval; in the remaining time viewers connect and leave, and the service rests. */
const MEASURED_SHARE = 0.8;
const MEASURED_LESS_MS = 2_500;
/** Time after the last viewer has left, in which streams and encoders end. */
const REST_MS = 700;

/**
 * Repeats everything at once. After each interval the viewers have left, the recordings are ready, and one session is replaced
 * by another one: the service's resources at that time must not grow.
 */
export async function soakFor(
  minutes: number,
  size: MixedSize,
  onSample: (sample: SoakSample) => void,
): Promise<SoakSample[]> {
  const totalMs = minutes * 60_000;
  const intervalMs = Math.min(INTERVAL_MS.max, Math.max(INTERVAL_MS.min, totalMs / SAMPLES));
  const measureMs = Math.max(intervalMs * MEASURED_SHARE - MEASURED_LESS_MS, INTERVAL_MS.min * 0.2);
  const mixed = await MixedService.open(size, MEMORY_WATCH);
  try {
    const samples: SoakSample[] = [];
    const sinceMs = performance.now();
    while (performance.now() - sinceMs < totalMs || samples.length < SAMPLES_MIN) {
      const round = await mixed.measure(measureMs);
      await mixed.replaceSession(samples.length % size.sessions);
      await sleep(REST_MS);
      const use = await mixed.service.server.memoryUse();
      const sample = soakSample((performance.now() - sinceMs) / 60_000, round, use);
      samples.push(sample);
      onSample(sample);
    }
    return samples;
  } catch (error) {
    const words = mixed.service.server.lastWords();
    throw new Error(`${error instanceof Error ? error.message : error}\n${words}`.trim());
  } finally {
    await mixed.stop();
  }
}
