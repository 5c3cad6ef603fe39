import type { SessionRecord } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import { openDialog } from '../../page/dialog.ts';
import { field } from '../../page/field.ts';
import type { Context } from '../view.ts';

/** Asks for a name, and keeps the state of a session's device under it. */
export async function keepSnapshot({ api }: Context, { platform, id: sessionId }: SessionRecord): Promise<void> {
  const name = field('Name', { required: true, maxlength: 64, autocomplete: 'off', placeholder: 'signed-in' });
  await openDialog({
    title: 'Keep a snapshot',
    content: ['New sessions can start from the phone as it is now.', name.row],
    confirm: 'Keep snapshot',
    busy: 'Keeping it…',
    ready: () => name.input.focus(),
    onConfirm: async () => {
      const to = routeTo('POST /service/{platform}/{sessionId}/snapshots', { platform, sessionId });
      await api.ask(to, { body: { name: name.input.value.trim() } });
    },
  });
}
