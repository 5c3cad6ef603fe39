import type { SessionRecord } from '@runcloud/protocol';
import { endSession } from '../../viewer/owner/session-actions.ts';
import { sessionName } from '../ui/session-words.ts';
import type { Context } from '../view.ts';

/** Asks whether to release a session, and does it; resolves with whether it was done. */
export async function releaseSession({ api, say }: Context, session: SessionRecord): Promise<boolean> {
  const words = { title: `Release ${sessionName(session)}?`, confirm: 'Release', busy: 'Releasing…' };
  const done = await endSession(api, session.id, words);
  if (done) say('The session was released.');
  return done;
}
