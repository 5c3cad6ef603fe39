import { Type } from '@sinclair/typebox';
import { Acknowledgement } from './acknowledgement.ts';

/** Answers of the OAuth endpoints, whose fields and spelling are those of the RFCs. */

/** RFC 8628, section 3.2. */
export const DeviceAuthorization = Type.Object(
  {
    device_code: Type.String(),
    user_code: Type.String({ description: 'What the person types' }),
    verification_uri: Type.String(),
    verification_uri_complete: Type.String({ description: 'The same page, with the code in it' }),
    expires_in: Type.Integer({ description: 'Seconds' }),
    interval: Type.Integer({ description: 'Seconds between two polls, at least' }),
  },
  { $id: 'DeviceAuthorization', additionalProperties: false },
);

/** RFC 6749, section 5.1. */
export const OAuthTokens = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds' }),
    refresh_token: Type.String({ description: 'Works once, and brings the next one' }),
  },
  { $id: 'OAuthTokens', additionalProperties: false },
);

/** RFC 6749, section 5.2. */
export const OAuthFailure = Type.Object(
  { error: Type.String(), error_description: Type.String() },
  { $id: 'OAuthFailure', additionalProperties: false },
);

/** An excess of calls: `slow_down` (RFC 8628, section 3.5), or the envelope of what is refused before the request is read. */
export const OAuthExcess = Type.Union([OAuthFailure, Acknowledgement], { $id: 'OAuthExcess' });
