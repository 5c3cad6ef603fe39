import { ServiceError } from '@runcloud/protocol/terms';
import type { LiveSession } from '../session/live-session.ts';
import { takeScreenshot } from '../session/screenshot.ts';
import type { HttpHead, HttpReply } from '../socket/http.ts';
import { type Call, newRequestId } from './call.ts';

export const REQUEST_ID_HEADER = 'X-Service-Request-ID';

/** 1 to 128 printable characters (specification, section 4.4); white space at the ends belongs to no header's value. */
const HEADER_ID = /^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/;

/** The caller's request id, unless it sent none or one that is not allowed. */
export function headerRequestId(head: HttpHead): string | undefined {
  const given = head.header('x-service-request-id');
  return given !== undefined && HEADER_ID.test(given) ? given : undefined;
}

/** `GET .../screenshot`: the newest picture as PNG; the request id comes back in its header. */
export async function screenshot(call: Call, session: LiveSession): Promise<HttpReply> {
  const given = call.head.header('x-service-request-id');
  if (given !== undefined && !HEADER_ID.test(given)) {
    throw new ServiceError(
      'invalid_screenshot_request',
      `The header "${REQUEST_ID_HEADER}" must be 1 to 128 printable characters.`,
    );
  }
  const requestId = given ?? newRequestId();
  call.named.requestId = requestId;
  session.touch();
  const { png } = await takeScreenshot(session);
  const headers = { 'Content-Type': 'image/png', 'Cache-Control': 'no-store', [REQUEST_ID_HEADER]: requestId };
  return { status: 200, headers, body: png };
}
