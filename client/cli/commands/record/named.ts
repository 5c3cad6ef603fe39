import type { SessionHandle } from '../../../sdk/session.ts';
import { invalidRequest } from '../../failure.ts';

/** A name for a file of a recording, from an id that may hold anything. */
export const fileOf = (id: string, extension: 'mp4' | 'jpg'): string => `${id.replace(/[^\w-]/g, '_')}.${extension}`;

/** The id of the session's last recording. */
export async function lastOf({ id, recordings }: SessionHandle, signal: AbortSignal): Promise<string> {
  const [last] = await recordings.list({ limit: 1, signal });
  if (!last) throw invalidRequest(`The session ${id} has no recording.`, 'Start one with "runcloud record start".');
  return last.id;
}
