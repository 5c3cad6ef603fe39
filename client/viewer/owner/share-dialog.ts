import { routeTo } from '../../../protocol/routes/address.ts';
import type { Api } from '../../page/api.ts';
import { copyField } from '../../page/copy-field.ts';
import { openDialog } from '../../page/dialog.ts';
import { element } from '../../page/element.ts';
import { linkForm } from '../../page/link-form.ts';

/** Asks whom to let in and for how long, and shows a link for them. */
export async function share(api: Api, sessionId: string): Promise<void> {
  const form = linkForm();
  let url = '';
  const created = await openDialog({
    title: 'Share this session',
    content: form.rows,
    confirm: 'Create link',
    busy: 'Creating…',
    onConfirm: async () => {
      const to = routeTo('POST /service/sessions/{sessionId}/viewer-links', { sessionId });
      ({ url } = await api.ask(to, { body: form.body() }));
    },
  });
  if (!created) return;
  const words = form.body().role === 'view' ? 'watch' : 'control';
  const hint = `Whoever has it can ${words} the session. Revoke it on the page of the session in the dashboard.`;
  const content = [copyField('Link', url), element('p', { class: 'hint' }, hint)];
  await openDialog({ title: 'Link to this session', content });
}
