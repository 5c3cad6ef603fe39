import { setTimeout as sleep } from 'node:timers/promises';

/** A screen of which it is known that something on it has changed. */
export interface ChangingScreen {
  /** Pictures told so far. */
  readonly version: number;
  /** Settles with whether a picture came that is newer than `version`. */
  newerThan(version: number, withinMs: number): Promise<boolean>;
}

export interface EffectTimes {
  /** How long it is waited for that the screen rests. */
  readonly restsWithinMs: number;
  /** How long an effect may take to be seen. */
  readonly effectMs: number;
}

/** Nothing new for so long is rest. */
const STILL_MS = 400;
/** So many pictures follow a finger that pulls: a clock that changes gives one, which an encoder may repeat a few times. */
const PICTURES_OF_A_PULL = 6;

/**
 * True when a pull moves the screen. If it brought few pictures, it has to move the screen a second time: a clock
 * changes once a minute, and a message may arrive at that very moment.
 */
export async function movesScreen(
  screen: ChangingScreen,
  pull: () => Promise<unknown>,
  { restsWithinMs, effectMs }: EffectTimes,
): Promise<boolean> {
  for (let looks = 0; looks < 2; looks++) {
    const rests = await comesToRest(screen, restsWithinMs);
    const { version } = screen;
    await pull();
    if (!(await screen.newerThan(version, effectMs))) return false;
    // A screen that never rests cannot confirm a touch: its own motion is taken for the effect.
    if (!rests || screen.version - version >= PICTURES_OF_A_PULL) return true;
  }
  return true;
}

async function comesToRest(screen: ChangingScreen, withinMs: number): Promise<boolean> {
  const giveUpMs = performance.now() + withinMs;
  while (await screen.newerThan(screen.version, STILL_MS)) {
    if (performance.now() > giveUpMs) return false;
    await sleep(0);
  }
  return true;
}
