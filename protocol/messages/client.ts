import type { Static, TObject } from '@sinclair/typebox';
import { type Fault, fault } from '../fault.ts';
import { checkInteraction } from '../interactions/request.ts';
import { cancel, type InteractionMessage, pointer } from './interaction.ts';
import type { Traits } from './message.ts';
import { openUrl } from './open-url.ts';
import { ping } from './ping.ts';
import { recordingGet, recordingList, recordingStart, recordingStop } from './recording.ts';
import { screenAck, screenKeyframe, screenStart, screenStop } from './screen.ts';
import { screenshot } from './screenshot.ts';

const DEFINITIONS = [
  cancel,
  pointer,
  screenshot,
  openUrl,
  recordingStart,
  recordingStop,
  recordingGet,
  recordingList,
  screenStart,
  screenAck,
  screenKeyframe,
  screenStop,
  ping,
] as const;

/** Every message that a client may send, checked. */
export type ClientMessage = InteractionMessage | Static<(typeof DEFINITIONS)[number]['schema']>;

interface Definition {
  readonly schema: TObject;
  readonly traits: Traits;
  readonly check: (value: unknown) => Fault | undefined;
}

/** The messages but `interaction`, whose fields depend on its action. */
export const CLIENT_MESSAGES: ReadonlyMap<string, Definition> = new Map(
  DEFINITIONS.map((definition) => [definition.type, definition]),
);

/** The least role that may send messages of this type. */
export function roleFor(type: ClientMessage['type']): Traits['role'] {
  return CLIENT_MESSAGES.get(type)?.traits.role ?? 'control';
}

export type ClientMessageCheck =
  | { readonly kind: 'valid'; readonly message: ClientMessage }
  /** Of a known type, but refused: answer it and go on. */
  | { readonly kind: 'invalid'; readonly type: string; readonly fault: Fault }
  | { readonly kind: 'unknown'; readonly type: string };

/** Tells what a decoded map is. Everything it hands on is checked; nothing it refuses ends the connection. */
export function checkClientMessage(map: Readonly<Record<string, unknown>>): ClientMessageCheck {
  const { type } = map;
  if (type === 'interaction') return checkInteractionMessage(map);
  if (typeof type !== 'string')
    return { kind: 'invalid', type: '', fault: fault('type', 'is required and must be text') };
  const definition = CLIENT_MESSAGES.get(type);
  if (!definition) return { kind: 'unknown', type };
  const refused = definition.check(map);
  return refused
    ? { kind: 'invalid', type, fault: refused }
    : { kind: 'valid', message: map as Static<(typeof DEFINITIONS)[number]['schema']> };
}

function checkInteractionMessage({
  type,
  acks = 'all',
  ...body
}: Readonly<Record<string, unknown>>): ClientMessageCheck {
  if (acks !== 'all' && acks !== 'final') {
    return { kind: 'invalid', type: 'interaction', fault: fault('acks', 'must be one of all, final') };
  }
  if (body.requestId === undefined) {
    return { kind: 'invalid', type: 'interaction', fault: fault('requestId', 'is required on the control socket') };
  }
  const checked = checkInteraction(body, () => '');
  return checked.ok
    ? { kind: 'valid', message: { type: 'interaction', acks, request: checked.value } }
    : { kind: 'invalid', type: 'interaction', fault: checked.fault };
}
