import { ApiError } from '../../page/api.ts';
import { openDialog } from '../../page/dialog.ts';
import { field } from '../../page/field.ts';
import type { Viewer } from '../viewer.ts';

/** Asks for an address, and opens it on the device: a web page, or a deep link into an app. */
export async function askForUrl(viewer: Viewer): Promise<void> {
  const { row, input } = field(
    'Address',
    { type: 'text', inputmode: 'url', autocomplete: 'off', spellcheck: 'false', required: true },
    'A web page such as https://example.com, or a deep link into an installed app.',
  );
  await openDialog({
    title: 'Open URL',
    content: [row],
    confirm: 'Open',
    ready: () => input.select(),
    onConfirm: async () => {
      const url = input.value.trim();
      const { error } = await viewer.openUrl(/^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `https://${url}`);
      if (error) throw new ApiError(error.code, error.message, error.action);
    },
  });
}
