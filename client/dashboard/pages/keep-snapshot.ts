import type { SessionRecord } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import { openDialog } from '../../page/dialog.ts';
import { field } from '../../page/field.ts';
import type { Context } from '../view.ts';

/** What is kept of the devices that can be, by driver. */
const WHAT_IS_KEPT: Readonly<Record<string, string>> = {
  virtual: 'New sessions can start from the phone as it is now.',
  'android-emulator':
    'New sessions can start from the emulator as it is now. It stands still for some seconds. One that the service has not started cannot be kept.',
  'ios-simulator':
    'New sessions can start from what is on the disk of the simulator now. It restarts for that, which ends its apps and takes up to a minute.',
};

export const canBeKept = ({ device }: SessionRecord): boolean => Object.hasOwn(WHAT_IS_KEPT, device.driver);

/** Asks for a name, and keeps the state of a session's device under it. */
export async function keepSnapshot(
  { api }: Context,
  { platform, id: sessionId, device }: SessionRecord,
): Promise<void> {
  const name = field('Name', { required: true, maxlength: 64, autocomplete: 'off', placeholder: 'signed-in' });
  await openDialog({
    title: 'Keep a snapshot',
    content: [WHAT_IS_KEPT[device.driver] ?? '', name.row],
    confirm: 'Keep snapshot',
    busy: 'Keeping it…',
    ready: () => name.input.focus(),
    onConfirm: async () => {
      const to = routeTo('POST /service/{platform}/{sessionId}/snapshots', { platform, sessionId });
      await api.ask(to, { body: { name: name.input.value.trim() } });
    },
  });
}
