import { Acknowledgement, CancelledInteraction } from '../acknowledgement.ts';
import { checkInteraction, InteractionBody } from '../actions/request.ts';
import { ClipboardText, checkWriteClipboard, WriteClipboard } from '../clipboard.ts';
import { AskControl, ControlAnswer, checkAskControl } from '../control.ts';
import { checkHistoryQuery, HistoryPage, HistoryQuery, InteractionState } from '../history.ts';
import { newId } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { checkLogQuery, LogPage, LogQuery } from '../logs.ts';
import { AddedMedia, MEDIA_TYPES } from '../media.ts';
import { requestIdOf } from '../messages/client.ts';
import { checkOpenUrl, OpenUrlRequest } from '../open-url-request.ts';
import { OpenUrlResult } from '../open-url-result.ts';
import {
  checkInputQuery,
  checkScreenshotQuery,
  checkUiQuery,
  InputQuery,
  ScreenshotQuery,
  UiQuery,
} from '../queries.ts';
import { UiAnswer, UiTree } from '../ui.ts';
import { checkUiCheck, checkUiWait, UiCheckRequest, UiWaitRequest } from '../ui-condition.ts';
import { byKey, get, jsonBody, post, put, query, remove } from './parts.ts';
import type { Route } from './route.ts';

const SESSION = '/service/{platform}/{sessionId}';

/** The control socket's sub-protocol (RFC 6455, section 1.9). */
export const CONTROL_SUBPROTOCOL = 'runcloud.v1';

const INPUT_QUERY = query(InputQuery, checkInputQuery);

const newRequestId = (): string => newId('req');

/** Copies the request id and the action of a body, valid or not, for the answer to a refusal. */
function identify(value: unknown, named: { requestId?: string; action?: string }): void {
  if (typeof value !== 'object' || value === null) return;
  const { action } = value as { action?: unknown };
  const requestId = requestIdOf(value as Record<string, unknown>);
  if (requestId !== undefined) named.requestId = requestId;
  if (typeof action === 'string' && /^[A-Za-z-]{1,64}$/.test(action)) named.action = action;
}

/** Routes that act on the device of an active session. */
export const CONTROL_ROUTES = {
  control: {
    ...get(`${SESSION}/control`, `Open the control socket (WebSocket, sub-protocol ${CONTROL_SUBPROTOCOL})`),
    description:
      'For input with the least delay, live pictures and events. Its messages are MessagePack and described in the ' +
      'protocol document, `protocol/README.md`; the SDK speaks them. A plain request is answered with 426.',
    credential: 'keyOrViewerToken',
    role: 'activeSession',
    answers: { 101: { description: 'The control socket is open' } },
  },
  askControl: {
    ...post(`${SESSION}/control`, 'Ask for control, take it, or grant it to one who waits', 'none'),
    description:
      'Nobody has control at first, and everybody may send input. While a participant has it, input of others is ' +
      'refused with `not_in_control`. An API key is one participant, whatever is done with it. It ends when its holder sends no input for ' +
      `${LIMITS.controlLeaseMs / 1_000} s, and passes to the first who asked. A request stands for ${LIMITS.controlRequestMs / 1_000} s: ask again ` +
      'to keep your place. The session record tells who has control.',
    ...byKey('activeSession'),
    action: 'control',
    body: jsonBody(AskControl, checkAskControl),
    answers: { 200: { description: 'Who has control now', schema: ControlAnswer } },
  },
  releaseControl: {
    ...remove(`${SESSION}/control`, 'Give up control, or withdraw a request for it', 'none'),
    description:
      'It passes to the first who asked for it, or to nobody. It does nothing for one who neither has it nor waits.',
    ...byKey('activeSession'),
    action: 'control',
    answers: { 200: { description: 'Who has control now', schema: ControlAnswer } },
  },
  interact: {
    ...post(`${SESSION}/interactions`, 'Perform one interaction', 'none'),
    description:
      'Answers when the device has taken the input, which does not mean that the app has reacted: look at the ' +
      'screen for that. Interactions of one session are performed one at a time, in the order of their arrival. A ' +
      '`requestId` names one effect for ten minutes: after a lost answer, send the same body again and you get the ' +
      'first outcome. A disconnect does not cancel the interaction. With `observe: true` it answers when it is known what the input changed ' +
      'on the screen, as `observed`.',
    ...byKey('activeSession'),
    isShort: true,
    query: INPUT_QUERY,
    body: {
      ...jsonBody(InteractionBody, (body) => checkInteraction(body, newRequestId), 'invalid_interaction'),
      identify,
    },
    answers: { 200: { description: 'The acknowledgement', schema: Acknowledgement } },
  },
  cancelInteraction: {
    ...remove(`${SESSION}/interactions/{requestId}`, 'Cancel an interaction', 'none'),
    description:
      "A queued interaction ends at once; of a running one, all fingers and keys are lifted. The interaction's own " +
      'call then answers `interaction_cancelled`.',
    ...byKey('activeSession'),
    answers: {
      200: {
        description: '`cancelled` is false if no interaction with this id was pending',
        schema: CancelledInteraction,
      },
    },
  },
  readInteraction: {
    ...get(`${SESSION}/interactions/{requestId}`, 'Read how an interaction stands'),
    description:
      "Also after the session's end. 404 `not_found` says that the session accepted no request with this id. Of several " +
      'requests with one id, such as those of the clipboard, the newest is told.',
    ...byKey('session'),
    answers: { 200: { description: 'Its state, and its outcome once it has one', schema: InteractionState } },
  },
  history: {
    ...get(`${SESSION}/history`, 'Read what was done in a session'),
    description:
      'All input of all callers, URLs and accesses to the clipboard included, in the order of acceptance; not what only ' +
      "looks, such as screenshots. Also after the session's end, for as long as its record is kept. With " +
      '`Accept: application/x-ndjson` the answer is a stream of lines, one entry each, to the end of the history.',
    ...byKey('session'),
    query: query(HistoryQuery, checkHistoryQuery),
    answers: {
      200: { description: 'Oldest first', schema: HistoryPage, streamType: 'application/x-ndjson' },
    },
  },
  openUrl: {
    ...post(`${SESSION}/open-url`, 'Open a URL in the browser or in the app that handles it', 'none'),
    description:
      'An https URL goes to its system handler, mostly the browser; another scheme to the installed app that ' +
      'registered it. If there is none, the request fails. The URL is used exactly as it is.',
    ...byKey('leasedSession'),
    query: INPUT_QUERY,
    action: 'open-url',
    body: jsonBody(OpenUrlRequest, checkOpenUrl, 'invalid_url'),
    answers: { 200: { description: 'The device and the lease that took the URL', schema: OpenUrlResult } },
  },
  readClipboard: {
    ...get(`${SESSION}/clipboard`, "Read the text in the device's clipboard"),
    description:
      'It is read after the interactions that were accepted before. Of a longer text the answer has the first ' +
      `${LIMITS.clipboardCharacters.max} characters and \`truncated\`. A device without a way to its clipboard answers ` +
      '`unsupported_action`.',
    ...byKey('activeSession'),
    action: 'clipboard.get',
    answers: { 200: { description: 'What the clipboard holds', schema: ClipboardText } },
  },
  writeClipboard: {
    ...put(`${SESSION}/clipboard`, "Write a text to the device's clipboard", 'none'),
    description:
      'The answer is what the clipboard then holds, read from the device. Apps take it by pasting; `insertText` ' +
      'inserts a text at once.',
    ...byKey('activeSession'),
    query: INPUT_QUERY,
    action: 'clipboard.set',
    body: jsonBody(WriteClipboard, checkWriteClipboard),
    answers: { 200: { description: 'What the clipboard holds now', schema: ClipboardText } },
  },
  addMedia: {
    ...post(`${SESSION}/media`, 'Add a picture or a video to the photo library', 'none'),
    description:
      `The body is the file itself, at most ${LIMITS.mediaBytes / 2 ** 20} MiB; what it is is told by its content. It is added behind the ` +
      'interactions that were accepted before, and is gone at the end of the session. A device without a photo library that can be ' +
      'reached answers `unsupported_action`, and so do virtual phones to videos.',
    ...byKey('activeSession'),
    query: INPUT_QUERY,
    action: 'media.add',
    body: {
      kind: 'stream',
      mediaTypes: ['application/octet-stream', ...MEDIA_TYPES],
      bytesMax: LIMITS.mediaBytes,
    },
    answers: { 201: { description: 'It is in the library', schema: AddedMedia } },
  },
  logs: {
    ...get(`${SESSION}/logs`, "Read the device's log"),
    description:
      `The log is followed from the first time that somebody reads it; the newest ${LIMITS.logLines} lines of it are kept, of at most ` +
      `${LIMITS.logCharacters} characters together. Ask again with \`next\` as \`after\` for what has come since: each line is told once and in ` +
      'order, or counted in `lost`. It does not wait for interactions, and does not prolong the session. Texts are what apps wrote: make control ' +
      'characters harmless before you print them. A device whose log cannot be read answers `unsupported_action`.',
    ...byKey('activeSession'),
    query: query(LogQuery, checkLogQuery),
    answers: { 200: { description: 'Oldest first', schema: LogPage } },
  },
  screenshot: {
    ...get(`${SESSION}/screenshot`, 'Take a screenshot of the current display'),
    description:
      'The answer is the PNG itself, in pixels of the display and in its current orientation. `?format=jpeg` gives a smaller JPEG.',
    query: query(ScreenshotQuery, checkScreenshotQuery, 'invalid_screenshot_request'),
    ...byKey('activeSession'),
    action: 'screenshot',
    headers: { 'X-Service-Request-ID': '1 to 128 characters; the answer repeats it' },
    answers: { 200: { description: 'The screenshot', mediaType: 'image/png', otherType: 'image/jpeg' } },
  },
  ui: {
    ...get(`${SESSION}/ui`, 'Read what is on the screen'),
    description:
      'The elements of the foreground with role, name, value and frame, read after the interactions that were accepted before. ' +
      '`?format=outline`, or `Accept: text/plain`, gives those that can be used or read as lines of text, ' +
      `${LIMITS.uiOutlineBytes / 1_000} KB at most. A ref, such as \`@4\`, names an element of this frame alone. Values of secure ` +
      'fields are never told. A device that does not tell what is on its screen answers `unsupported_action`.',
    query: query(UiQuery, checkUiQuery),
    ...byKey('activeSession'),
    action: 'ui',
    answers: { 200: { description: 'What is on the screen', schema: UiTree, otherType: 'text/plain' } },
  },
  checkUi: {
    ...post(`${SESSION}/ui/check`, 'Ask whether something is so on the screen', 'none'),
    description:
      'Looks once, after the interactions that were accepted before. That it is not so is an answer, not a failure: `found` then ' +
      'says what is there instead. A device that does not tell what is on its screen answers `unsupported_action`.',
    ...byKey('activeSession'),
    action: 'ui.check',
    body: jsonBody(UiCheckRequest, checkUiCheck),
    answers: { 200: { description: 'Whether it is so', schema: UiAnswer } },
  },
  waitUi: {
    ...post(`${SESSION}/ui/wait`, 'Wait until something is so on the screen', 'none'),
    description:
      'Begins after the interactions that were accepted before, and holds up none that come after it. It ends when it is so, or at its ' +
      'timeout with `wait_timeout`, which says what is there instead; `idle` ends after 2 seconds at most, whether the screen then ' +
      'stands still or not. A disconnect ends it. A device that does not tell what is on its screen answers `unsupported_action`.',
    ...byKey('activeSession'),
    action: 'ui.wait',
    body: jsonBody(UiWaitRequest, checkUiWait),
    answers: { 200: { description: 'It is so, or the screen goes on moving', schema: UiAnswer } },
  },
} as const satisfies Record<string, Route>;
