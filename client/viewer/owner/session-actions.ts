import type { SessionRecord } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import type { Api } from '../../page/api.ts';
import { openDialog } from '../../page/dialog.ts';
import { element } from '../../page/element.ts';

const END = { title: 'End this session?', confirm: 'End session', busy: 'Ending…' };

/** Asks whether to end a session, and does it; resolves with whether it was done. */
export function endSession(api: Api, sessionId: string, words: typeof END = END): Promise<boolean> {
  return openDialog({
    ...words,
    content: [element('p', {}, 'The session ends for everybody, and its device is reset. Recordings stay.')],
    look: 'danger',
    onConfirm: async () => void (await api.ask(routeTo('DELETE /service/sessions/{sessionId}', { sessionId }))),
  });
}

/** Starts a session with the platform, apps and labels of another one, and goes there. */
export async function startAgain(
  api: Api,
  { platform, labels, installAssets }: Pick<SessionRecord, 'platform' | 'labels' | 'installAssets'>,
): Promise<void> {
  const apps = installAssets.length === 0 ? {} : { installAssets };
  const { url } = await api.ask(routeTo('POST /service/sessions'), { body: { platform, labels, ...apps } });
  location.assign(url);
}
