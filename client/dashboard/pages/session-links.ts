import type { SessionRecord, ViewerLink } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import { element } from '../../viewer/ui/element.ts';
import { Extent, readList } from '../paged.ts';
import { button } from '../ui/button.ts';
import { openDialog } from '../ui/dialog.ts';
import { loaded } from '../ui/page.ts';
import { row } from '../ui/row.ts';
import { fromNow } from '../ui/words.ts';
import type { Context } from '../view.ts';

const ROLES = { control: 'Can control the session', view: 'Can only watch' } as const;

/** A dialog with the viewer links of a session, each of which can be revoked. */
export async function showLinks({ api, leaving }: Context, { id: sessionId, device }: SessionRecord): Promise<void> {
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
    return element('p', { class: 'quiet' }, 'None. Use “runcloud links create” to share the session.');
  });
  const linkRow = ({ id, role, expiresAt, embedOrigin }: ViewerLink) => {
    const where = embedOrigin === undefined ? [] : [`embedded in ${embedOrigin}`];
    const facts = [id, `expires ${fromNow(expiresAt)}`, ...where];
    const label = { attributes: { 'aria-label': `Revoke ${id}` } };
    return row(
      id,
      ROLES[role],
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
  await openDialog({ title: `Links to the ${device.model}`, content: [place], wide: true });
}
