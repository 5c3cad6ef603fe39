import type { SessionRecord, ViewerLink } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import { button, whileBusy } from '../../page/button.ts';
import { copyField } from '../../page/copy-field.ts';
import { openDialog } from '../../page/dialog.ts';
import { element } from '../../page/element.ts';
import { LINK_ROLES, linkForm } from '../../page/link-form.ts';
import { failureBox } from '../../page/notice.ts';
import { Extent, readList } from '../paged.ts';
import { loaded } from '../ui/page.ts';
import { row } from '../ui/row.ts';
import { fromNow } from '../ui/words.ts';
import type { Context } from '../view.ts';

/** A dialog with the viewer links of a session. */
export async function showLinks(context: Context, session: SessionRecord): Promise<void> {
  await openDialog({
    title: `Links to the ${session.device.model}`,
    content: [viewerLinks(context, session)],
    wide: true,
  });
}

/** The viewer links of a session: create one and copy it, or revoke one. */
export function viewerLinks({ api, leaving }: Context, { id: sessionId }: SessionRecord): HTMLElement {
  const extent = new Extent(20);
  const { place, reload } = loaded(async () => {
    const enough = (links: readonly ViewerLink[]) => links.length >= extent.count;
    const links = await readList(
      api,
      routeTo('GET /service/sessions/{sessionId}/viewer-links', { sessionId }),
      'viewerLinks',
      { signal: leaving, isEnough: enough },
    );
    if (links.items.length > 0) return extent.show(links, linkRow, () => reload());
    return element('p', { class: 'quiet' }, 'No link yet: create one to share the session.');
  });
  const linkRow = ({ id, role, expiresAt, embedOrigin }: ViewerLink) => {
    const where = embedOrigin === undefined ? [] : [`embedded in ${embedOrigin}`];
    const facts = [id, `expires ${fromNow(expiresAt)}`, ...where];
    const label = { attributes: { 'aria-label': `Revoke ${id}` } };
    return row(
      id,
      LINK_ROLES[role],
      facts,
      button('Revoke', () => void revoke(id), label),
    );
  };
  const revoke = async (linkId: string) => {
    const to = routeTo('DELETE /service/sessions/{sessionId}/viewer-links/{linkId}', { sessionId, linkId });
    const revoked = await openDialog({
      title: 'Revoke the link?',
      content: [element('p', {}, 'Viewers that use it are disconnected at once. This cannot be undone.')],
      confirm: 'Revoke',
      look: 'danger',
      onConfirm: async () => void (await api.ask(to)),
    });
    if (revoked) await reload();
  };
  const fields = linkForm();
  const made = element('div', { class: 'made' });
  const create = button('Create link', () => void whileBusy(create, 'Creating…', make), { icon: 'plus' });
  const make = async () => {
    try {
      const { url } = await api.ask(routeTo('POST /service/sessions/{sessionId}/viewer-links', { sessionId }), {
        body: fields.body(),
      });
      const once = element('p', { class: 'hint' }, 'Copy it now: the address is not shown again.');
      made.replaceChildren(copyField('New link', url), once);
      await reload();
    } catch (error) {
      made.replaceChildren(failureBox(error));
    }
  };
  const form = element('div', { class: 'link-form' }, ...fields.rows, create);
  return element('div', { class: 'links' }, form, made, place);
}
