import type { PlayedStep } from '../gesture-player.ts';

/** Fingers of a scroll stay away from the edges, where the system takes them for its own gestures. */
const MARGIN = 0.12;
const REACH = 1 - 2 * MARGIN;
const DRAG_MS = 160;
const MOVE_MS = 1_000 / 60;
/** A finger that rests before it is lifted leaves nothing moving on. */
const REST_MS = 120;

/**
 * Drags that move content by shares of the display: a positive delta goes on towards the end, so the finger goes the other
 * way. More than a finger can reach is done in several drags of equal length.
 */
export function scrollSteps(deltaX: number, deltaY: number, anchor = { x: 0.5, y: 0.5 }): PlayedStep[][] {
  const count = Math.max(1, Math.ceil(Math.max(Math.abs(deltaX), Math.abs(deltaY)) / REACH));
  const [wayX, wayY] = [-deltaX / count, -deltaY / count];
  const start = { x: startOf(anchor.x, wayX), y: startOf(anchor.y, wayY) };
  const moves = Math.round(DRAG_MS / MOVE_MS);
  const at = (share: number) => [{ x: start.x + wayX * share, y: start.y + wayY * share }];
  const drag: PlayedStep[] = [
    { phase: 'begin', points: at(0), delayMs: MOVE_MS },
    ...Array.from({ length: moves }, (_, index) => ({
      phase: 'move' as const,
      points: at((index + 1) / moves),
      delayMs: index + 1 < moves ? MOVE_MS : REST_MS,
    })),
    { phase: 'end', points: at(1), delayMs: 0 },
  ];
  return Array.from({ length: count }, () => drag);
}

/** As near to the anchor as leaves room for the way. */
function startOf(anchor: number, way: number): number {
  const low = MARGIN + Math.max(0, -way);
  const high = 1 - MARGIN - Math.max(0, way);
  return Math.min(high, Math.max(low, anchor));
}
