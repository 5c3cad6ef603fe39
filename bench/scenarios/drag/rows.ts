/** One line of the table: the server that takes the steps, and the number of viewers. */
export interface DragRow {
  readonly name: string;
  readonly server: 'RunCloud' | 'uWS echo';
  readonly viewers: number;
}

/** The touch rate of a fast display. */
export const STEPS_PER_SECOND = 120;
/** A stroke of half a second. */
export const STEPS_PER_GESTURE = 60;
export const VIEWERS = 4;

export const ROW_NAMES = {
  echo: 'uWS echo',
  alone: 'control socket',
  watched: `control socket, ${VIEWERS} viewers`,
} as const;

/** In the order of measurement. */
export const DRAG_ROWS: readonly DragRow[] = [
  { name: ROW_NAMES.echo, server: 'uWS echo', viewers: 0 },
  { name: ROW_NAMES.alone, server: 'RunCloud', viewers: 0 },
  { name: ROW_NAMES.watched, server: 'RunCloud', viewers: VIEWERS },
];
