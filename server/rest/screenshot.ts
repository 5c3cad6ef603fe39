import { ServiceError } from '@runcloud/protocol/terms';
import { takeScreenshot, takeSmallScreenshot } from '../session/screenshot.ts';
import { type HttpReply, REQUEST_ID_HEADER } from '../socket/http.ts';
import type { CallTo } from './call.ts';
import { hasGoodRequestId } from './target.ts';

/** `GET .../screenshot`: the display as PNG or as a smaller JPEG, now or when it stands still; its header repeats the request id. */
export async function screenshot({ head, session, query }: CallTo<'screenshot'>): Promise<HttpReply> {
  if (!hasGoodRequestId(head)) {
    throw new ServiceError(
      'invalid_screenshot_request',
      `The header "${REQUEST_ID_HEADER}" must be 1 to 128 printable characters.`,
    );
  }
  session.touch();
  const { format, ...options } = query;
  const headers = (type: string) => ({ 'Content-Type': type, 'Cache-Control': 'no-store' });
  if (format === 'jpeg') {
    return { status: 200, headers: headers('image/jpeg'), body: (await takeSmallScreenshot(session, options)).jpeg };
  }
  return { status: 200, headers: headers('image/png'), body: (await takeScreenshot(session, options)).png };
}
