import t from 'tap';
import { ERROR_WORDS, ERRORS, type ErrorCode, type ErrorKind, errorBody, ServiceError } from '../../protocol/terms.ts';

/** Every code with its HTTP status and whether the same request may succeed later. */
const CATALOGUE: Readonly<Record<ErrorCode, readonly [http: number, retryable: boolean]>> = {
  invalid_request: [400, false],
  invalid_interaction: [400, false],
  invalid_screenshot_request: [400, false],
  invalid_recording_request: [400, false],
  invalid_session_request: [400, false],
  invalid_asset: [400, false],
  asset_quota_exceeded: [507, false],
  snapshot_quota_exceeded: [507, false],
  invalid_url: [400, false],
  retrieval_reference_invalid: [403, false],
  range_not_satisfiable: [416, false],
  unknown_message: [400, false],
  authentication_required: [401, false],
  sign_in_failed: [401, false],
  sign_in_link_invalid: [401, false],
  fresh_sign_in_required: [403, false],
  open_url_scope_required: [403, false],
  origin_not_allowed: [403, false],
  control_role_required: [403, false],
  owner_required: [403, false],
  not_found: [404, false],
  active_session_not_found: [404, false],
  session_not_found: [404, false],
  recording_not_found: [404, false],
  asset_not_found: [404, false],
  snapshot_not_found: [404, false],
  viewer_link_not_found: [404, false],
  key_not_found: [404, false],
  token_not_found: [404, false],
  device_request_not_found: [404, false],
  control_request_not_found: [404, false],
  app_not_found: [404, false],
  ref_not_issued: [404, false],
  target_not_found: [404, true],
  ref_expired: [409, false],
  ref_of_other_frame: [409, false],
  target_ambiguous: [409, false],
  target_disabled: [409, true],
  method_not_allowed: [405, false],
  duplicate_request: [409, false],
  not_in_control: [409, true],
  interaction_cancelled: [409, false],
  screenshot_cancelled: [409, false],
  recording_already_active: [409, false],
  recording_not_ready: [409, true],
  asset_in_use: [409, false],
  snapshot_exists: [409, false],
  simulator_session_ended: [410, false],
  recording_deleted: [410, false],
  length_required: [411, false],
  payload_too_large: [413, false],
  unsupported_media_type: [415, false],
  unsupported_action: [422, false],
  snapshot_damaged: [422, false],
  ios_url_handler_not_found: [422, false],
  android_url_handler_not_found: [422, false],
  upgrade_required: [426, false],
  rate_limited: [429, true],
  interaction_failed: [500, false],
  screenshot_failed: [500, false],
  recording_failed: [500, false],
  internal_error: [500, false],
  interaction_transport_error: [502, true],
  interaction_invalid_response: [502, false],
  screenshot_transport_error: [502, true],
  screenshot_invalid_response: [502, false],
  recording_object_invalid: [502, false],
  host_lost: [502, false],
  ios_open_url_failed: [502, true],
  android_open_url_failed: [502, true],
  open_url_transport_error: [502, true],
  open_url_invalid_response: [502, true],
  open_url_failed: [502, true],
  simulator_capacity_unavailable: [503, true],
  recording_capacity_unavailable: [503, true],
  asset_capacity_unavailable: [503, true],
  asset_reader_unavailable: [503, true],
  simulator_unavailable: [503, true],
  store_unavailable: [503, true],
  service_draining: [503, true],
  host_unreachable: [503, true],
  interaction_timeout: [504, true],
  wait_timeout: [504, true],
  screenshot_timeout: [504, true],
  open_url_timeout: [504, true],
};

const kinds: readonly [string, ErrorKind][] = Object.entries(ERRORS);

t.test('the catalogue has these codes, statuses and retryabilities and no others', async (t) => {
  t.strictSame(Object.fromEntries(kinds.map(([code, { http, retryable }]) => [code, [http, retryable]])), CATALOGUE);
});

t.test('every code has a sentence for people, and its advice is one too', async (t) => {
  for (const [code, { message, action }] of Object.entries(ERROR_WORDS)) {
    t.match(message, /^[A-Z].*\.$/, code);
    if (action !== undefined) t.match(action, /^[A-Z].*\.$/, code);
  }
});

t.test('an error body says what the catalogue says, in exacter words where there are some', async (t) => {
  t.strictSame(errorBody('invalid_url'), {
    code: 'invalid_url',
    message: 'The URL is not valid.',
    retryable: false,
  });
  t.strictSame(errorBody('active_session_not_found', 'Gone.'), {
    code: 'active_session_not_found',
    message: 'Gone.',
    retryable: false,
    action: 'Create a new session.',
  });
});

t.test('a service error carries its entry of the catalogue', async (t) => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const error = new ServiceError(code);
    const [http, retryable] = CATALOGUE[code];
    t.match(error, { name: 'ServiceError', code, http, retryable, message: ERROR_WORDS[code].message });
    t.strictSame(error.toBody(), errorBody(code));
  }
});

t.test('a service error keeps its own message and the time after which to retry', async (t) => {
  const error = new ServiceError('rate_limited', 'Slow down.', { retryAfterSeconds: 2 });
  t.equal(error.toBody().message, 'Slow down.');
  t.equal(error.retryAfterSeconds, 2);
  t.equal(new ServiceError('rate_limited').retryAfterSeconds, undefined);
});
