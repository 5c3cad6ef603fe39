/** One line of the table: a kind of opening. */
export interface ConnectRow {
  readonly name: string;
  readonly kind:
    | 'service'
    | 'uws'
    | 'ws'
    | 'first viewer'
    | 'further viewer'
    | 'new session'
    | 'bare answer'
    | 'encoder';
  /** Number of concurrent handshakes; 1 for pictures. */
  readonly atOnce: number;
}

export const AT_ONCE = 16;

export const ROW_NAMES = {
  service: 'control socket',
  uws: 'uWS socket',
  ws: 'ws socket',
  serviceMany: `control socket, ${AT_ONCE} at once`,
  uwsMany: `uWS socket, ${AT_ONCE} at once`,
  wsMany: `ws socket, ${AT_ONCE} at once`,
  firstViewer: 'first picture, first viewer',
  furtherViewer: 'first picture, further viewer',
  newSession: 'first picture of a new session',
  bareAnswer: 'uWS answer of the same bytes',
  encoder: 'encoder alone, key picture',
  bareFirst: 'both together',
} as const;

const row = (name: string, kind: ConnectRow['kind'], atOnce = 1): ConnectRow => ({ name, kind, atOnce });

/** In the order of measurement, each beside its control. */
export const CONNECT_ROWS: readonly ConnectRow[] = [
  row(ROW_NAMES.uws, 'uws'),
  row(ROW_NAMES.service, 'service'),
  row(ROW_NAMES.ws, 'ws'),
  row(ROW_NAMES.uwsMany, 'uws', AT_ONCE),
  row(ROW_NAMES.serviceMany, 'service', AT_ONCE),
  row(ROW_NAMES.wsMany, 'ws', AT_ONCE),
  row(ROW_NAMES.bareAnswer, 'bare answer'),
  row(ROW_NAMES.encoder, 'encoder'),
  row(ROW_NAMES.firstViewer, 'first viewer'),
  row(ROW_NAMES.furtherViewer, 'further viewer'),
  row(ROW_NAMES.newSession, 'new session'),
];

const OWN: readonly ConnectRow['kind'][] = ['service', 'first viewer', 'further viewer', 'new session', 'encoder'];

/** Whether a row is answered by the service or needs a picture of it. */
export const needsService = ({ kind }: ConnectRow): boolean => OWN.includes(kind);

export const isHandshake = ({ kind }: ConnectRow): boolean => kind === 'service' || kind === 'uws' || kind === 'ws';
