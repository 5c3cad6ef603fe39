import type { ErrorCode } from './errors.ts';

/** What a failure says to people. */
export interface ErrorWords {
  /** The sentence for failures that have no more specific one. */
  readonly message: string;
  /** Advice on what the caller can do next. */
  readonly action?: string;
}

const words = (message: string, action?: string): ErrorWords => ({
  message,
  ...(action === undefined ? {} : { action }),
});

const RECREATE = 'Create a new session.';
const BACK_OFF = 'Retry with bounded back-off after confirming that the session is active.';
const READ_AGAIN = 'Read what is on the screen again, or name the element by its text, id or role.';

/** What each code says. The words stand apart: programs get them from the service, and need not carry them. */
export const ERROR_WORDS: Readonly<Record<ErrorCode, ErrorWords>> = {
  invalid_request: words('The request is not valid.'),
  invalid_interaction: words('The interaction is not valid.'),
  invalid_screenshot_request: words('The screenshot request is not valid.'),
  invalid_recording_request: words('The recording request is not valid.'),
  invalid_session_request: words('The session request is not valid.'),
  invalid_asset: words('The asset is not valid.'),
  invalid_url: words('The URL is not valid.'),
  authentication_required: words('A valid API key is required.', 'Send the header "Authorization: Bearer <API key>".'),
  sign_in_failed: words(
    'The e-mail address or the password is wrong.',
    'Try again, or ask the operator for a new invitation.',
  ),
  sign_in_link_invalid: words(
    'This link was used already, has expired, or is incomplete.',
    'Ask the operator for a new one.',
  ),
  fresh_sign_in_required: words(
    'The current password or a recent sign-in is required.',
    'Sign in to the dashboard with a link of "npm run admin -- account sign-in NAME" and set the password within 30 minutes.',
  ),
  open_url_scope_required: words(
    'The lease does not permit opening URLs on this device.',
    'Use the public session operation; recreate the session if it persists.',
  ),
  origin_not_allowed: words('Pages of this origin may not connect to this session.'),
  control_role_required: words(
    'A credential with the role "view" may watch but not control.',
    'Connect with a control token.',
  ),
  owner_required: words('Only the account that owns the session may take control of it.', 'Ask for control instead.'),
  retrieval_reference_invalid: words(
    'The retrieval reference has expired or was altered.',
    "Get a new one from the recording's download address.",
  ),
  not_found: words('There is nothing at this address.'),
  active_session_not_found: words('There is no active session with this id.', RECREATE),
  session_not_found: words('There is no session with this id.'),
  recording_not_found: words('There is no recording with this id.'),
  asset_not_found: words('There is no asset with this id.'),
  snapshot_not_found: words('There is no snapshot with this name.'),
  viewer_link_not_found: words('There is no viewer link with this id.'),
  key_not_found: words('There is no API key with this id.'),
  token_not_found: words('No signed-in program has this id.'),
  device_request_not_found: words(
    'There is no sign-in request with this code.',
    'Check the code. If it is correct, it has expired: start the sign-in again in the program.',
  ),
  control_request_not_found: words('Nobody with this id waits for control.'),
  app_not_found: words('The device has no such app.', 'List the apps of the device.'),
  ref_not_issued: words(
    'No frame has given out this ref.',
    'Read what is on the screen, and use a ref and the frame of that answer.',
  ),
  target_not_found: words(
    'The screen has no such element.',
    'Read what is on the screen, and name an element of it; scroll to one that is out of sight.',
  ),
  method_not_allowed: words('This address does not support the method.'),
  duplicate_request: words(
    'This request id was already used with another body.',
    'Use a new request id for a new request.',
  ),
  not_in_control: words(
    'Somebody else has control of this session.',
    'Ask for control, or wait until it is free. With a key of the account you may take it, or send "force=true" over REST.',
  ),
  ref_expired: words('There was an input after the frame of this ref.', READ_AGAIN),
  ref_of_other_frame: words('The screen has changed since the frame of this ref.', READ_AGAIN),
  target_ambiguous: words(
    'The screen has several such elements.',
    'Say more: "role", "id", "exact", "near" or "index", or a ref of the frame in the message.',
  ),
  target_disabled: words('The element cannot be used now.', 'Do first what the app waits for.'),
  interaction_cancelled: words('The interaction was cancelled.'),
  screenshot_cancelled: words('The screenshot was cancelled.'),
  recording_already_active: words('The session already has an active recording.'),
  recording_not_ready: words('The recording is not ready yet.', 'Poll the recording until it is ready.'),
  asset_in_use: words('A session still uses this asset.'),
  snapshot_exists: words('There is a snapshot with this name already.'),
  simulator_session_ended: words('The lease of this session has ended.', RECREATE),
  recording_deleted: words('The recording was deleted at the end of its retention.'),
  length_required: words('The header "Content-Length" is required; only an upload may be chunked instead.'),
  payload_too_large: words('The body is too large.'),
  unsupported_media_type: words(
    'This address does not accept the media type of the body.',
    'Send the body as application/json.',
  ),
  range_not_satisfiable: words('The file does not have these bytes.'),
  unsupported_action: words('The platform does not support this action.'),
  ios_url_handler_not_found: words('No installed iOS app lists this scheme among its URL schemes.'),
  android_url_handler_not_found: words(
    'No installed APK has an exported activity with a VIEW, DEFAULT, BROWSABLE intent filter for this scheme.',
  ),
  upgrade_required: words(
    'This address requires a WebSocket upgrade.',
    'Upgrade with the sub-protocol "runcloud.v1" and version 13.',
  ),
  rate_limited: words('Too many requests.', 'Wait for the time in Retry-After, then send fewer requests at once.'),
  interaction_failed: words('The device could not carry out the interaction.'),
  screenshot_failed: words('The screenshot could not be taken.'),
  recording_failed: words('The recording failed.'),
  internal_error: words('The service failed to answer.', 'Report the request id to the operator.'),
  interaction_transport_error: words('The device could not be reached.', BACK_OFF),
  interaction_invalid_response: words('The device gave an answer that makes no sense.'),
  screenshot_transport_error: words('The device could not be reached.', BACK_OFF),
  screenshot_invalid_response: words('The device gave an answer that makes no sense.'),
  host_lost: words(
    'The host was lost after it was asked and before it answered: what it did is not known.',
    'Look at the session before you ask again; an interaction with the same request id is safe to repeat.',
  ),
  recording_object_invalid: words('The stored recording does not match its record.'),
  ios_open_url_failed: words('The simulator could not open the URL.', BACK_OFF),
  android_open_url_failed: words('The emulator could not open the URL.', BACK_OFF),
  open_url_transport_error: words('The device could not be reached.', BACK_OFF),
  open_url_invalid_response: words('The device gave an answer that makes no sense.', BACK_OFF),
  open_url_failed: words('The URL could not be opened.', BACK_OFF),
  simulator_capacity_unavailable: words(
    'No device is free.',
    'Retry after the time that Retry-After names, or release a session.',
  ),
  recording_capacity_unavailable: words('The service cannot store another recording.'),
  asset_capacity_unavailable: words('The service cannot store another asset.'),
  asset_reader_unavailable: words(
    'The file could not be read in time.',
    'Retry after the time that Retry-After names; the service may be busy.',
  ),
  simulator_unavailable: words('The device is not available.', BACK_OFF),
  store_unavailable: words(
    'The service cannot store the change; it is not acknowledged.',
    'Retry after the time that Retry-After names.',
  ),
  service_draining: words('The service is shutting down.', 'Retry after the time that Retry-After names.'),
  host_unreachable: words(
    'The host of this session cannot be reached. Nothing was done.',
    'Retry after the time that Retry-After names.',
  ),
  interaction_timeout: words('The interaction did not finish in time.'),
  wait_timeout: words(
    'What was waited for did not come in time.',
    'Look at the screen; the message tells what is there instead.',
  ),
  screenshot_timeout: words('The screenshot did not finish in time.'),
  open_url_timeout: words('The platform did not open the URL in time.', 'Check the session, then retry.'),
  snapshot_damaged: words('The snapshot cannot be read.', 'Delete it, and make another one.'),
  snapshot_quota_exceeded: words(
    'The account has the maximum number of snapshots.',
    'Delete snapshots that you no longer need.',
  ),
  asset_quota_exceeded: words(
    'The account has the maximum number of assets.',
    'Delete assets that you no longer need, then upload again.',
  ),
  unknown_message: words('This service does not know the type of the message.'),
};
