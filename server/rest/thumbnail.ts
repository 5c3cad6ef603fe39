import { takeThumbnail } from '../session/thumbnail.ts';
import type { HttpReply } from '../socket/http.ts';
import type { CallTo } from './call.ts';

/** `GET .../thumbnail`: a small JPEG of the display. It does not count as activity of the session. */
export async function thumbnail({ head, session }: CallTo<'thumbnail'>): Promise<HttpReply> {
  const { jpeg, version } = await takeThumbnail(session);
  const etag = `"${session.facts.id}-${version}"`;
  const headers = { 'Content-Type': 'image/jpeg', 'Cache-Control': 'private, no-cache', ETag: etag };
  if (head.header('if-none-match') === etag) return { status: 304, headers, body: '', bodyBytes: jpeg.length };
  return { status: 200, headers, body: jpeg };
}
