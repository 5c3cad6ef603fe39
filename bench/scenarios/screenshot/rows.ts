/** One line of the table: a source of stills. */
export interface ScreenshotRow {
  readonly name: string;
  readonly kind: 'rest' | 'socket' | 'encoded route' | 'bytes route' | 'library' | 'own encoder';
  /** Whether the screen is changed before each still. */
  readonly changed: boolean;
}

export const ROW_NAMES = {
  rest: 'REST, changed screen',
  socket: 'control socket, changed screen',
  still: 'REST, unchanged screen',
  library: 'PNG library (sharp) alone',
  encoder: 'own PNG encoder alone',
  encodedRoute: 'uWS route that encodes (sharp)',
  bytesRoute: 'uWS route of the same bytes',
} as const;

const row = (name: string, kind: ScreenshotRow['kind'], changed: boolean): ScreenshotRow => ({ name, kind, changed });

/** In the order of measurement, each beside its control. */
export const SCREENSHOT_ROWS: readonly ScreenshotRow[] = [
  row(ROW_NAMES.library, 'library', false),
  row(ROW_NAMES.encoder, 'own encoder', false),
  row(ROW_NAMES.rest, 'rest', true),
  row(ROW_NAMES.encodedRoute, 'encoded route', false),
  row(ROW_NAMES.socket, 'socket', true),
  row(ROW_NAMES.bytesRoute, 'bytes route', false),
  row(ROW_NAMES.still, 'rest', false),
];

/** Whether a row is answered by the service. */
export const needsService = ({ kind }: ScreenshotRow): boolean => kind === 'rest' || kind === 'socket';
