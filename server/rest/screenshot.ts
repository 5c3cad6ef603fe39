import { ServiceError } from '@runcloud/protocol/terms';
import { takeScreenshot } from '../session/screenshot.ts';
import type { HttpReply } from '../socket/http.ts';
import type { CallTo } from './call.ts';
import { hasGoodRequestId, REQUEST_ID_HEADER } from './target.ts';

/** `GET .../screenshot`: the display as PNG, now or when it stands still; its header repeats the request id. */
export async function screenshot({ head, session, query }: CallTo<'screenshot'>): Promise<HttpReply> {
  if (!hasGoodRequestId(head)) {
    throw new ServiceError(
      'invalid_screenshot_request',
      `The header "${REQUEST_ID_HEADER}" must be 1 to 128 printable characters.`,
    );
  }
  session.touch();
  const { png } = await takeScreenshot(session, query);
  return { status: 200, headers: { 'Content-Type': 'image/png', 'Cache-Control': 'no-store' }, body: png };
}
