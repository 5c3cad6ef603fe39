import { Type } from '@sinclair/typebox';
import { oneOf } from '../compile-check.ts';
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
  recording: Type.Boolean(),
});

/** The first message on every socket. */
export const ready = serverMessage('ready', {
  protocol: Type.Literal(1),
  role: oneOf(ROLES),
  session: Type.Omit(SessionRecord, ['url']),
  limits: Type.Object({
    interactionTimeoutMs: Type.Object({ min: Type.Integer(), max: Type.Integer(), default: Type.Integer() }),
    clientMessageBytes: Type.Integer(),
    queuedInteractions: Type.Integer(),
    /** How many recordings `recording.list` may be asked for; a server without it knows no pages. */
    recordingsListed: Type.Optional(Type.Object({ min: Type.Integer(), max: Type.Integer(), default: Type.Integer() })),
  }),
  capabilities: ReadyCapabilities,
  serverTimeUs: Type.Integer(),
});
