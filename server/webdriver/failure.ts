import { RunCloudError } from '../../client/sdk/error.ts';
import type { PlainReply } from '../translation/messages.ts';

/** Error codes with their statuses (W3C WebDriver, section 6.6), and those of Appium. */
const STATUSES = {
  'element not interactable': 400,
  'invalid argument': 400,
  'invalid element state': 400,
  'invalid selector': 400,
  'move target out of bounds': 400,
  'invalid session id': 404,
  'no such alert': 404,
  'no such context': 400,
  'no such element': 404,
  'stale element reference': 404,
  'unknown command': 404,
  'unknown method': 405,
  'session not created': 500,
  timeout: 500,
  'unknown error': 500,
  'unsupported operation': 500,
} as const;
export type WebDriverCode = keyof typeof STATUSES;

/** A failure of a command, with the code that clients of WebDriver know. */
export class WebDriverFailure extends Error {
  override readonly name = 'WebDriverFailure';
  readonly code: WebDriverCode;

  constructor(code: WebDriverCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The codes of the service in WebDriver's words; any other one is an `unknown error`. */
const CODES: Readonly<Record<string, WebDriverCode>> = {
  active_session_not_found: 'invalid session id',
  session_not_found: 'invalid session id',
  not_found: 'invalid session id',
  simulator_session_ended: 'invalid session id',
  ref_expired: 'stale element reference',
  ref_of_other_frame: 'stale element reference',
  ref_not_issued: 'stale element reference',
  target_not_found: 'stale element reference',
  target_disabled: 'element not interactable',
  invalid_request: 'invalid argument',
  invalid_open_url: 'invalid argument',
  app_not_found: 'invalid argument',
  interaction_timeout: 'timeout',
  wait_timeout: 'timeout',
  unsupported_action: 'unsupported operation',
};

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

export const succeeded = (value: unknown): PlainReply => ({
  status: 200,
  headers: JSON_TYPE,
  body: JSON.stringify({ value: value ?? null }),
});

/** The answer of a command that failed. Throws what is a fault of the service. */
export function failed(error: unknown): PlainReply {
  const [code, message, detail] = wordsOf(error);
  const value = { error: code, message, stacktrace: '', ...(detail === undefined ? {} : { data: { code: detail } }) };
  return { status: STATUSES[code], headers: JSON_TYPE, body: JSON.stringify({ value }) };
}

function wordsOf(error: unknown): [WebDriverCode, string, detail?: string] {
  if (error instanceof WebDriverFailure) return [error.code, error.message];
  if (error instanceof RunCloudError) {
    const next = error.suggestedAction === undefined ? '' : ` ${error.suggestedAction}`;
    return [CODES[error.code] ?? 'unknown error', `${error.detail}${next}`, error.code];
  }
  // The SDK's checks of arguments.
  if (error instanceof RangeError || error instanceof TypeError) return ['invalid argument', error.message];
  throw error;
}
