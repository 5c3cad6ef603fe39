import { Type } from '@sinclair/typebox';
import { oneOf } from '../compile-check.ts';
import { OwnParticipant } from '../control.ts';
import { BUTTONS, ORIENTATIONS, RENDER_OPTIONS } from '../platforms.ts';
import { ROLES } from '../roles.ts';
import { SCREEN_ENCODINGS } from '../screen-packet.ts';
import { SessionRecord } from '../session.ts';
import { serverMessage } from './define-message.ts';

/** The capabilities of this platform, driver and server. */
export const ReadyCapabilities = Type.Object({
  actions: Type.Array(Type.String()),
  orientations: Type.Array(oneOf(ORIENTATIONS)),
  buttons: Type.Array(oneOf(BUTTONS)),
  renderOptions: Type.Array(oneOf(RENDER_OPTIONS)),
  /** Keys that stay on until they are pressed again. */
  lockKeys: Type.Boolean(),
  /** Keys together with modifiers. */
  modifiers: Type.Boolean(),
  /** Keys and buttons stay down for as long as they are asked to; otherwise every press is short. */
  holds: Type.Boolean(),
  /** How many can touch at the same time. */
  fingers: Type.Union([Type.Literal(1), Type.Literal(2)]),
  /** Gestures of several steps, and live pointers. */
  freeGestures: Type.Boolean(),
  screenEncodings: Type.Array(oneOf(SCREEN_ENCODINGS)),
  openUrl: Type.Boolean(),
  /** The text in the device's clipboard can be read and written. */
  clipboard: Type.Boolean(),
  /** The device tells what is on its screen; absent where it does not. */
  ui: Type.Optional(Type.Literal(true)),
  /** The state of the device can be kept; absent where it cannot. */
  snapshots: Type.Optional(Type.Literal(true)),
  /** Pictures can be added to the photo library; absent where they cannot. */
  media: Type.Optional(Type.Literal(true)),
  /** Files can be copied to the device and from it; absent where they cannot. */
  files: Type.Optional(Type.Literal(true)),
  /** The log of the device can be read; absent where it cannot. */
  logs: Type.Optional(Type.Literal(true)),
  recording: Type.Boolean(),
});

/** The states of a request, as `ready` tells them of a connection that could not be resumed. */
export const PENDING_STATES = ['queued', 'running', 'ended'] as const;

/** What a client needs to resume its connection. */
const ReadyConnection = Type.Object({
  id: Type.String(),
  /** Rises with each socket of the connection. */
  epoch: Type.Integer({ minimum: 1 }),
  /** How long it can be resumed after its socket is lost. */
  resumeWindowMs: Type.Integer(),
  /** How many messages of the client the server has received over this connection. */
  received: Type.Integer({ minimum: 0 }),
});

/** The first message on every socket. */
export const ready = serverMessage('ready', {
  protocol: Type.Literal(1),
  role: oneOf(ROLES),
  session: Type.Omit(SessionRecord, ['url']),
  /** Who the client is, for whoever has control; absent for the role `view`, and on servers that know no control. */
  participant: Type.Optional(OwnParticipant),
  limits: Type.Object({
    interactionTimeoutMs: Type.Object({ min: Type.Integer(), max: Type.Integer(), default: Type.Integer() }),
    clientMessageBytes: Type.Integer(),
    queuedInteractions: Type.Integer(),
    /** How many recordings `recording.list` may be asked for; a server without it knows no pages. */
    recordingsListed: Type.Optional(Type.Object({ min: Type.Integer(), max: Type.Integer(), default: Type.Integer() })),
  }),
  capabilities: ReadyCapabilities,
  serverTimeUs: Type.Integer(),
  /** A server without it cannot resume. */
  connection: Type.Optional(ReadyConnection),
  /** Only for a client that asked to resume. */
  resumed: Type.Optional(Type.Boolean()),
  /** If it could not be resumed: the requests of the connection that the client may still wait for. */
  pending: Type.Optional(Type.Array(Type.Object({ requestId: Type.String(), state: oneOf(PENDING_STATES) }))),
});
