import type { SessionRecord } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import { openDialog } from '../../page/dialog.ts';
import { field } from '../../page/field.ts';
import type { Context } from '../view.ts';

/** Of devices that can be kept. */
export const KEPT_DRIVERS: ReadonlySet<string> = new Set(['virtual', 'ios-simulator']);

const AS_IT_IS = 'New sessions can start from the phone as it is now.';
const RESTARTS =
  'New sessions can start from what is on the disk of the simulator now. It restarts for that, which ends its apps and takes up to a minute.';

/** Asks for a name, and keeps the state of a session's device under it. */
export async function keepSnapshot(
  { api }: Context,
  { platform, id: sessionId, device }: SessionRecord,
): Promise<void> {
  const name = field('Name', { required: true, maxlength: 64, autocomplete: 'off', placeholder: 'signed-in' });
  await openDialog({
    title: 'Keep a snapshot',
    content: [device.driver === 'ios-simulator' ? RESTARTS : AS_IT_IS, name.row],
    confirm: 'Keep snapshot',
    busy: 'Keeping it…',
    ready: () => name.input.focus(),
    onConfirm: async () => {
      const to = routeTo('POST /service/{platform}/{sessionId}/snapshots', { platform, sessionId });
      await api.ask(to, { body: { name: name.input.value.trim() } });
    },
  });
}
