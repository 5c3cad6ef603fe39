import type { SessionRegistry } from '../session/session-registry.ts';
import { takeThumbnail } from '../session/thumbnail.ts';
import type { HttpReply } from '../socket/http.ts';
import type { Call } from './call.ts';

/**
 * `GET .../thumbnail`: the display in small. Looking at a list is no use of a session, so it does not count as activity.
 * Throws `session_not_found`, and `active_session_not_found` for a session that has ended.
 */
export async function thumbnail({ head, owner, params }: Call, registry: SessionRegistry): Promise<HttpReply> {
  const { id, platform } = registry.read(owner, params.sessionId ?? '');
  const { jpeg, version } = await takeThumbnail(registry.active(owner, platform, id));
  const etag = `"${id}-${version}"`;
  const headers = { 'Content-Type': 'image/jpeg', 'Cache-Control': 'private, no-cache', ETag: etag };
  if (head.header('if-none-match') === etag) return { status: 304, headers, body: '', bodyBytes: jpeg.length };
  return { status: 200, headers, body: jpeg };
}
