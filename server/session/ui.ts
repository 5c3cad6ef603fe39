import {
  type ClientMessage,
  freshCondition,
  freshWait,
  type UiCondition,
  type UiFormat,
  type UiWaitRequest,
} from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import { INTERACTION_ENDINGS, WAIT_ENDINGS } from '../interaction/ending.ts';
import type { RequestObserver, RequestSpec } from '../interaction/request.ts';
import { UiRunner } from '../interaction/ui-runner.ts';
import type { LiveSession } from './live-session.ts';

/** What looks at the screen changes nothing, and its outcomes are not kept: those of ten minutes would hold thousands of trees. */
const LOOK = {
  timeoutMs: LIMITS.interactionTimeoutMs.default,
  endings: INTERACTION_ENDINGS,
  isRead: true,
  isLook: true,
  isForgotten: true,
} as const;

/**
 * Reads what is on the screen of the session's device. It takes its turn behind the interactions that were accepted before it, so
 * that it tells of their effects; the acknowledgement's `result` is a `UiTree` or a `UiOutline`. Throws `ServiceError` for what is not
 * accepted: `unsupported_action`, `duplicate_request`, `rate_limited`, `active_session_not_found`.
 */
export function readUi(
  session: LiveSession,
  { requestId, format = 'json' }: { readonly requestId: string; readonly format?: UiFormat | undefined },
  observer: RequestObserver,
): void {
  const createRunner: RequestSpec['createRunner'] = (device) =>
    new UiRunner(device, (device, about) => device.ui(format, about));
  accept(session, { ...LOOK, requestId, action: 'ui', body: { format }, createRunner }, observer);
}

/** Tells whether something is so on the screen, in the same turn; the `result` is a `UiAnswer`. Throws as `readUi` does. */
export function checkUi(session: LiveSession, requestId: string, asked: UiCondition, observer: RequestObserver): void {
  const condition = freshCondition(asked);
  const createRunner: RequestSpec['createRunner'] = (device) =>
    new UiRunner(device, (device, about) => device.checkUi(condition, about));
  accept(session, { ...LOOK, requestId, action: 'ui.check', body: condition, createRunner }, observer);
}

/**
 * Waits until something is so on the screen: it begins in the same turn, and holds up nothing that comes after it. The `result` is a
 * `UiAnswer`; out of time it fails with `wait_timeout`. Throws as `readUi` does.
 */
export function waitUi(session: LiveSession, requestId: string, asked: UiWaitRequest, observer: RequestObserver): void {
  const wait = freshWait(asked);
  const { timeoutMs = LIMITS.interactionTimeoutMs.default } = asked;
  const createRunner: RequestSpec['createRunner'] = (device) =>
    new UiRunner(device, (device, about) => device.waitUi(wait, about));
  const job = { ...LOOK, requestId, action: 'ui.wait', body: { ...wait, timeoutMs }, createRunner };
  accept(session, { ...job, timeoutMs, endings: WAIT_ENDINGS, isAside: true }, observer);
}

type UiMessage = Extract<ClientMessage, { type: 'ui' | `ui.${string}` }>;

/** Does what a message asks for. Throws as `readUi` does. */
export function lookAtUi(session: LiveSession, message: UiMessage, observer: RequestObserver): void {
  switch (message.type) {
    case 'ui':
      return readUi(session, message, observer);
    case 'ui.check':
      return checkUi(session, message.requestId, message, observer);
    case 'ui.wait':
      return waitUi(session, message.requestId, message, observer);
  }
}

function accept(session: LiveSession, spec: RequestSpec, observer: RequestObserver): void {
  if (!session.device.capabilities.ui) {
    throw new ServiceError('unsupported_action', 'This device does not tell what is on its screen.');
  }
  const { uiAllowance: allowance } = session;
  if (!allowance.take()) {
    const sentence = `What is on the screen of a session is read ${LIMITS.uiReadsPerSecond} times a second at most.`;
    throw new ServiceError('rate_limited', sentence, { retryAfterSeconds: allowance.retryAfterSeconds });
  }
  session.touch();
  session.interactions.accept(spec, observer);
}
