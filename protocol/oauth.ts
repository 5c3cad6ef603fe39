import { Type } from '@sinclair/typebox';
import { Acknowledgement } from './acknowledgement.ts';

/** Answers of the OAuth endpoints; their field names are those of the RFCs. */

/** RFC 8628, section 3.2. */
export const DeviceAuthorization = Type.Object(
  {
    device_code: Type.String(),
    user_code: Type.String({ description: 'The code that the user types' }),
    verification_uri: Type.String(),
    verification_uri_complete: Type.String({ description: 'The same page, with the code in it' }),
    expires_in: Type.Integer({ description: 'Seconds' }),
    interval: Type.Integer({ description: 'Minimum seconds between two polls' }),
  },
  { $id: 'DeviceAuthorization', additionalProperties: false },
);

/** RFC 6749, section 5.1. */
export const OAuthTokens = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds' }),
    refresh_token: Type.String({ description: 'Can be used once; the answer contains the next one' }),
  },
  { $id: 'OAuthTokens', additionalProperties: false },
);

/** RFC 6749, section 5.2. */
export const OAuthFailure = Type.Object(
  { error: Type.String(), error_description: Type.String() },
  { $id: 'OAuthFailure', additionalProperties: false },
);

/** Too many requests: `slow_down` (RFC 8628, section 3.5), or the service's own envelope from before the request is read. */
export const OAuthExcess = Type.Union([OAuthFailure, Acknowledgement], { $id: 'OAuthExcess' });
