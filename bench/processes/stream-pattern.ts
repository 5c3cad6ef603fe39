import { setTimeout as sleep } from 'node:timers/promises';
import type { FanOutPattern } from '../controls/fan-out-pattern.ts';
import type { ViewerTarget } from '../viewers/viewer.ts';
import type { CrowdProcess } from './crowd-process.ts';

/** Time after the last viewer has connected, for measuring the links and sending everyone the newest picture. */
export const SETTLE_MS = 300;
const PATTERN_MS = 1_000;
/** A stream with fewer pictures is not in motion. */
const PATTERN_PICTURES_MIN = 10;

/** Sizes and rate of the service's stream, which its controls repeat. */
export async function patternOf(crowd: CrowdProcess, target: ViewerTarget): Promise<FanOutPattern> {
  await crowd.open(target, 1);
  await sleep(SETTLE_MS);
  const { first, seconds } = await crowd.measure(PATTERN_MS);
  await crowd.close();
  if (first.length < PATTERN_PICTURES_MIN) throw new Error(`the screen gave ${first.length} pictures in a second`);
  return { sizes: first.map(({ bytes }) => bytes), perSecond: Math.round(first.length / seconds) };
}
