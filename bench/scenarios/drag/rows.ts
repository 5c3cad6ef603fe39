/** One line of the table: who takes the steps, and how many watch meanwhile. */
export interface DragRow {
  readonly name: string;
  readonly server: 'RunCloud' | 'uWS echo';
  readonly viewers: number;
}

/** The pace of a fast display's touches. */
export const STEPS_PER_SECOND = 120;
/** A stroke of half a second. */
export const STEPS_PER_GESTURE = 60;
export const VIEWERS = 4;

export const ROW_NAMES = {
  echo: 'uWS echo',
  alone: 'control socket',
  watched: `control socket, ${VIEWERS} viewers`,
} as const;

/** In the order of their turns. */
export const DRAG_ROWS: readonly DragRow[] = [
  { name: ROW_NAMES.echo, server: 'uWS echo', viewers: 0 },
  { name: ROW_NAMES.alone, server: 'RunCloud', viewers: 0 },
  { name: ROW_NAMES.watched, server: 'RunCloud', viewers: VIEWERS },
];
