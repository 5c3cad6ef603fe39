import { Type } from '@sinclair/typebox';
import { Acknowledgement } from './acknowledgement.ts';
import { oneOf } from './compile-check.ts';
import { text, whole } from './fields.ts';

/** Requests and answers of the OAuth endpoints; their field names are those of the RFCs. */

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

const ClientId = text('Identifies the program; it is no secret', 'runcloud-cli');

/** RFC 8628, section 3.1. */
export const DeviceAuthorizationRequest = Type.Object(
  {
    client_id: ClientId,
    device_name: Type.Optional(
      text('Name of the machine, shown to the user: one line of 1 to 64 characters', 'ada-laptop'),
    ),
  },
  { $id: 'DeviceAuthorizationRequest' },
);

/** RFC 8628, section 3.4, and RFC 6749, section 6. */
export const TokenRequest = Type.Object(
  {
    grant_type: oneOf([DEVICE_GRANT, 'refresh_token'], {
      description: 'What you have: a device code or a refresh token',
    }),
    client_id: ClientId,
    device_code: Type.Optional(text('`device_code` of the authorization, for that grant', 'rcd_...')),
    refresh_token: Type.Optional(text('`refresh_token` of the last answer, for that grant', 'rcr_...')),
  },
  {
    $id: 'TokenRequest',
    examples: [{ grant_type: DEVICE_GRANT, client_id: 'runcloud-cli', device_code: 'rcd_...' }],
  },
);

/** RFC 7009, section 2.1. */
export const RevocationRequest = Type.Object(
  {
    token: text('Either token; both are revoked', 'rcr_...'),
    token_type_hint: Type.Optional(text('Ignored, since the token itself tells its type', 'refresh_token')),
  },
  { $id: 'RevocationRequest' },
);

/** RFC 8628, section 3.2. */
export const DeviceAuthorization = Type.Object(
  {
    device_code: text('The code that the program polls with; keep it secret', 'rcd_...'),
    user_code: text('The code that the user types', 'BCDF-GHJK'),
    verification_uri: text('The page where the user types it', 'http://127.0.0.1:8787/dashboard/device'),
    verification_uri_complete: text(
      'The same page, with the code in it',
      'http://127.0.0.1:8787/dashboard/device?user_code=BCDF-GHJK',
    ),
    expires_in: whole('Seconds until both codes stop working', 600),
    interval: whole('Minimum seconds between two polls', 5),
  },
  { $id: 'DeviceAuthorization', additionalProperties: false },
);

/** RFC 6749, section 5.1. */
export const OAuthTokens = Type.Object(
  {
    access_token: text('Send it as `Authorization: Bearer`', 'rca_...'),
    token_type: Type.Literal('Bearer', { description: 'How the access token is sent' }),
    expires_in: whole('Seconds until the access token stops working', 3_600),
    refresh_token: text('Can be used once; the answer contains the next one', 'rcr_...'),
  },
  { $id: 'OAuthTokens', additionalProperties: false },
);

/** RFC 6749, section 5.2. */
export const OAuthFailure = Type.Object(
  {
    error: text('Code of RFC 6749, section 5.2, or RFC 8628, section 3.5', 'authorization_pending'),
    error_description: text('One sentence for people', 'The user has not decided yet.'),
  },
  { $id: 'OAuthFailure', additionalProperties: false },
);

/** Too many requests: `slow_down` (RFC 8628, section 3.5), or the service's own envelope from before the request is read. */
export const OAuthExcess = Type.Union([OAuthFailure, Acknowledgement], {
  $id: 'OAuthExcess',
  description: 'An OAuth error, or the failure envelope if the request was refused before it was read',
});
