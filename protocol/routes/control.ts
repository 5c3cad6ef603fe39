import { Acknowledgement, CancelledInteraction } from '../acknowledgement.ts';
import { checkInteraction, InteractionBody } from '../actions/request.ts';
import { newId } from '../ids.ts';
import { requestIdOf } from '../messages/client.ts';
import { checkOpenUrl, OpenUrlRequest } from '../open-url-request.ts';
import { OpenUrlResult } from '../open-url-result.ts';
import { byKey, get, jsonBody, post, remove } from './parts.ts';
import type { Route } from './route.ts';

const SESSION = '/service/{platform}/{sessionId}';

/** The control socket's sub-protocol (RFC 6455, section 1.9). */
export const CONTROL_SUBPROTOCOL = 'runcloud.v1';

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
  interact: {
    ...post(`${SESSION}/interactions`, 'Perform one interaction', 'none'),
    description:
      'Answers when the device has taken the input, which does not mean that the app has reacted: look at the ' +
      'screen for that. Interactions of one session are performed one at a time, in the order of their arrival. A ' +
      '`requestId` names one effect for ten minutes: after a lost answer, send the same body again and you get the ' +
      'first outcome. A disconnect does not cancel the interaction.',
    ...byKey('activeSession'),
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
  openUrl: {
    ...post(`${SESSION}/open-url`, 'Open a URL in the browser or in the app that handles it', 'none'),
    description:
      'An https URL goes to its system handler, mostly the browser; another scheme to the installed app that ' +
      'registered it. If there is none, the request fails. The URL is used exactly as it is.',
    ...byKey('leasedSession'),
    action: 'open-url',
    body: jsonBody(OpenUrlRequest, checkOpenUrl, 'invalid_url'),
    answers: { 200: { description: 'The device and the lease that took the URL', schema: OpenUrlResult } },
  },
  screenshot: {
    ...get(`${SESSION}/screenshot`, 'Take a screenshot of the current display'),
    description: 'The answer is the PNG itself, in pixels of the display and in its current orientation.',
    ...byKey('activeSession'),
    action: 'screenshot',
    headers: { 'X-Service-Request-ID': '1 to 128 characters; the answer repeats it' },
    answers: { 200: { description: 'The screenshot', mediaType: 'image/png' } },
  },
} as const satisfies Record<string, Route>;
