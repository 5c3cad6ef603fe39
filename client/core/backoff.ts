const FIRST_MS = 250;
const LONGEST_MS = 15_000;

/** Milliseconds before attempt `attempt` (0 is the first): exponential, capped, half of it random (jitter). */
export function backOffMs(attempt: number, random: () => number): number {
  const span = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16));
  return Math.round(span * (0.5 + 0.5 * random()));
}
