import type { Static, TObject } from '@sinclair/typebox';
import { REQUEST_ID_PATTERN } from '../actions/define-action.ts';
import { checkInteraction } from '../actions/request.ts';
import type { ErrorCode } from '../errors.ts';
import { type Fault, fault } from '../fault.ts';
import { clipboardGet, clipboardSet } from './clipboard.ts';
import { controlDeny, controlGrant, controlRelease, controlRequest, controlTake } from './control.ts';
import { historyList } from './history.ts';
import { cancel, type InteractionMessage, pointer } from './interaction.ts';
import { openUrl } from './open-url.ts';
import { ping } from './ping.ts';
import { recordingGet, recordingList, recordingStart, recordingStop } from './recording.ts';
import { screenAck, screenKeyframe, screenStart, screenStop } from './screen.ts';
import { screenshot } from './screenshot.ts';
import { type Traits, traitsOf } from './traits.ts';
import { ui, uiCheck, uiWait } from './ui.ts';

const DEFINITIONS = [
  cancel,
  pointer,
  screenshot,
  ui,
  uiCheck,
  uiWait,
  openUrl,
  clipboardGet,
  clipboardSet,
  controlRequest,
  controlTake,
  controlRelease,
  controlGrant,
  controlDeny,
  historyList,
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
  readonly check: (value: unknown) => Fault | undefined;
}

/** The messages but `interaction`, whose fields depend on its action. */
export const CLIENT_MESSAGES: ReadonlyMap<string, Definition> = new Map(
  DEFINITIONS.map((definition) => [definition.type, definition]),
);

/** The least role that may send messages of this type. */
export function roleFor(type: ClientMessage['type']): Traits['role'] {
  return traitsOf(type)?.role ?? 'control';
}

/** The error code for an invalid message of this type. */
export function refusalCode(type: string): ErrorCode {
  return traitsOf(type)?.refusedAs ?? 'invalid_request';
}

/** Whether a message is refused by a `result`. The map may be unchecked. */
export function isAnswered({ type, phase }: ClientMap): boolean {
  const answered = traitsOf(type)?.answered ?? false;
  return answered === 'begin' ? phase === 'begin' : answered;
}

/** A decoded message from a client, not yet checked. */
type ClientMap = Readonly<Record<string, unknown>>;

/** The result of checking a decoded map. `map` is the unchecked map itself, for the request id of an answer. */
export type ClientMessageCheck =
  | { readonly kind: 'valid'; readonly message: ClientMessage; readonly map: ClientMap }
  /** Of a known type, but refused: answer it and go on. */
  | { readonly kind: 'invalid'; readonly type: string; readonly fault: Fault; readonly map: ClientMap }
  | { readonly kind: 'unknown'; readonly type: string; readonly map: ClientMap };

/** Checks a decoded map. A refusal does not end the connection. */
export function checkClientMessage(map: ClientMap): ClientMessageCheck {
  const { type } = map;
  if (type === 'interaction') return checkInteractionMessage(map);
  if (typeof type !== 'string') return { kind: 'invalid', type: '', fault: TYPE_FAULT, map };
  const definition = CLIENT_MESSAGES.get(type);
  if (!definition) return { kind: 'unknown', type, map };
  const refused = definition.check(map);
  return refused
    ? { kind: 'invalid', type, fault: refused, map }
    : { kind: 'valid', message: map as Static<(typeof DEFINITIONS)[number]['schema']>, map };
}

const REQUEST_ID = new RegExp(REQUEST_ID_PATTERN);

/** The request id of a map that is refused, where it has a valid one: the answer then names it. */
export function requestIdOf({ requestId }: ClientMap): string | undefined {
  return typeof requestId === 'string' && REQUEST_ID.test(requestId) ? requestId : undefined;
}

const TYPE_FAULT = fault('type', 'is required and must be text');
const ACKS_FAULT = fault('acks', 'must be one of all, final');
const REQUEST_ID_FAULT = fault('requestId', 'is required on the control socket');

function checkInteractionMessage(map: ClientMap): ClientMessageCheck {
  // Without the message's own fields the rest is the flat body of an interaction, as over REST.
  const { type: _, acks = 'all', ...body } = map;
  if (acks !== 'all' && acks !== 'final') return { kind: 'invalid', type: 'interaction', fault: ACKS_FAULT, map };
  if (body.requestId === undefined) return { kind: 'invalid', type: 'interaction', fault: REQUEST_ID_FAULT, map };
  const checked = checkInteraction(body, () => '');
  return checked.ok
    ? { kind: 'valid', message: { type: 'interaction', acks, request: checked.value }, map }
    : { kind: 'invalid', type: 'interaction', fault: checked.fault, map };
}
