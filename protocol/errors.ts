/** One entry of the error catalogue. */
export interface ErrorKind {
  readonly http: number;
  /** Whether the same request may succeed later, unchanged. */
  readonly retryable: boolean;
  /** The sentence for failures that have no more specific one. */
  readonly message: string;
  /** Advice on what the caller can do next. */
  readonly action?: string;
}

const kind = (http: number, retryable: boolean, message: string, action?: string): ErrorKind => ({
  http,
  retryable,
  message,
  ...(action === undefined ? {} : { action }),
});

const RECREATE = 'Create a new session.';
const BACK_OFF = 'Retry with bounded back-off after confirming that the session is active.';

/** Every error code with its HTTP status and retryability. */
export const ERRORS = {
  invalid_request: kind(400, false, 'The request is not valid.'),
  invalid_interaction: kind(400, false, 'The interaction is not valid.'),
  invalid_screenshot_request: kind(400, false, 'The screenshot request is not valid.'),
  invalid_recording_request: kind(400, false, 'The recording request is not valid.'),
  invalid_session_request: kind(400, false, 'The session request is not valid.'),
  invalid_asset: kind(400, false, 'The asset is not valid.'),
  invalid_url: kind(400, false, 'The URL is not valid.'),
  authentication_required: kind(
    401,
    false,
    'A valid API key is required.',
    'Send the header "Authorization: Bearer <API key>".',
  ),
  sign_in_failed: kind(
    401,
    false,
    'The e-mail address or the password is wrong.',
    'Try again, or ask the operator for a new invitation.',
  ),
  sign_in_link_invalid: kind(
    401,
    false,
    'This link was used already, has expired, or is incomplete.',
    'Ask the operator for a new one.',
  ),
  fresh_sign_in_required: kind(
    403,
    false,
    'The current password or a recent sign-in is required.',
    'Sign in to the dashboard with a link of "npm run admin -- account sign-in NAME" and set the password within 30 minutes.',
  ),
  open_url_scope_required: kind(
    403,
    false,
    'The lease does not permit opening URLs on this device.',
    'Use the public session operation; recreate the session if it persists.',
  ),
  origin_not_allowed: kind(403, false, 'Pages of this origin may not connect to this session.'),
  control_role_required: kind(
    403,
    false,
    'A credential with the role "view" may watch but not control.',
    'Connect with a control token.',
  ),
  owner_required: kind(
    403,
    false,
    'Only the account that owns the session may take control of it.',
    'Ask for control instead.',
  ),
  retrieval_reference_invalid: kind(
    403,
    false,
    'The retrieval reference has expired or was altered.',
    "Get a new one from the recording's download address.",
  ),
  not_found: kind(404, false, 'There is nothing at this address.'),
  active_session_not_found: kind(404, false, 'There is no active session with this id.', RECREATE),
  session_not_found: kind(404, false, 'There is no session with this id.'),
  recording_not_found: kind(404, false, 'There is no recording with this id.'),
  asset_not_found: kind(404, false, 'There is no asset with this id.'),
  viewer_link_not_found: kind(404, false, 'There is no viewer link with this id.'),
  key_not_found: kind(404, false, 'There is no API key with this id.'),
  token_not_found: kind(404, false, 'No signed-in program has this id.'),
  device_request_not_found: kind(
    404,
    false,
    'There is no sign-in request with this code.',
    'Check the code. If it is correct, it has expired: start the sign-in again in the program.',
  ),
  control_request_not_found: kind(404, false, 'Nobody with this id waits for control.'),
  app_not_found: kind(404, false, 'The device has no such app.', 'List the apps of the device.'),
  method_not_allowed: kind(405, false, 'This address does not support the method.'),
  duplicate_request: kind(
    409,
    false,
    'This request id was already used with another body.',
    'Use a new request id for a new request.',
  ),
  not_in_control: kind(
    409,
    true,
    'Somebody else has control of this session.',
    'Ask for control, or wait until it is free. With a key of the account you may take it, or send "force=true" over REST.',
  ),
  interaction_cancelled: kind(409, false, 'The interaction was cancelled.'),
  screenshot_cancelled: kind(409, false, 'The screenshot was cancelled.'),
  recording_already_active: kind(409, false, 'The session already has an active recording.'),
  recording_not_ready: kind(409, true, 'The recording is not ready yet.', 'Poll the recording until it is ready.'),
  asset_in_use: kind(409, false, 'A session still uses this asset.'),
  simulator_session_ended: kind(410, false, 'The lease of this session has ended.', RECREATE),
  recording_deleted: kind(410, false, 'The recording was deleted at the end of its retention.'),
  length_required: kind(411, false, 'The header "Content-Length" is required; only an upload may be chunked instead.'),
  payload_too_large: kind(413, false, 'The body is too large.'),
  unsupported_media_type: kind(
    415,
    false,
    'This address does not accept the media type of the body.',
    'Send the body as application/json.',
  ),
  range_not_satisfiable: kind(416, false, 'The file does not have these bytes.'),
  unsupported_action: kind(422, false, 'The platform does not support this action.'),
  ios_url_handler_not_found: kind(422, false, 'No installed iOS app lists this scheme among its URL schemes.'),
  android_url_handler_not_found: kind(
    422,
    false,
    'No installed APK has an exported activity with a VIEW, DEFAULT, BROWSABLE intent filter for this scheme.',
  ),
  upgrade_required: kind(
    426,
    false,
    'This address requires a WebSocket upgrade.',
    'Upgrade with the sub-protocol "runcloud.v1" and version 13.',
  ),
  rate_limited: kind(
    429,
    true,
    'Too many requests.',
    'Wait for the time in Retry-After, then send fewer requests at once.',
  ),
  interaction_failed: kind(500, false, 'The device could not carry out the interaction.'),
  screenshot_failed: kind(500, false, 'The screenshot could not be taken.'),
  recording_failed: kind(500, false, 'The recording failed.'),
  internal_error: kind(500, false, 'The service failed to answer.', 'Report the request id to the operator.'),
  interaction_transport_error: kind(502, true, 'The device could not be reached.', BACK_OFF),
  interaction_invalid_response: kind(502, false, 'The device gave an answer that makes no sense.'),
  screenshot_transport_error: kind(502, true, 'The device could not be reached.', BACK_OFF),
  screenshot_invalid_response: kind(502, false, 'The device gave an answer that makes no sense.'),
  recording_object_invalid: kind(502, false, 'The stored recording does not match its record.'),
  ios_open_url_failed: kind(502, true, 'The simulator could not open the URL.', BACK_OFF),
  android_open_url_failed: kind(502, true, 'The emulator could not open the URL.', BACK_OFF),
  open_url_transport_error: kind(502, true, 'The device could not be reached.', BACK_OFF),
  open_url_invalid_response: kind(502, true, 'The device gave an answer that makes no sense.', BACK_OFF),
  open_url_failed: kind(502, true, 'The URL could not be opened.', BACK_OFF),
  simulator_capacity_unavailable: kind(
    503,
    true,
    'No device is free.',
    'Retry after the time that Retry-After names, or release a session.',
  ),
  recording_capacity_unavailable: kind(503, true, 'The service cannot store another recording.'),
  asset_capacity_unavailable: kind(503, true, 'The service cannot store another asset.'),
  asset_reader_unavailable: kind(
    503,
    true,
    'The file could not be read in time.',
    'Retry after the time that Retry-After names; the service may be busy.',
  ),
  simulator_unavailable: kind(503, true, 'The device is not available.', BACK_OFF),
  store_unavailable: kind(
    503,
    true,
    'The service cannot store the change; it is not acknowledged.',
    'Retry after the time that Retry-After names.',
  ),
  service_draining: kind(503, true, 'The service is shutting down.', 'Retry after the time that Retry-After names.'),
  interaction_timeout: kind(504, true, 'The interaction did not finish in time.'),
  screenshot_timeout: kind(504, true, 'The screenshot did not finish in time.'),
  open_url_timeout: kind(504, true, 'The platform did not open the URL in time.', 'Check the session, then retry.'),
  asset_quota_exceeded: kind(
    507,
    false,
    'The account has the maximum number of assets.',
    'Delete assets that you no longer need, then upload again.',
  ),
  unknown_message: kind(400, false, 'This service does not know the type of the message.'),
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;
