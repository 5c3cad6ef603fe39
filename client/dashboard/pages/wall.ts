import type { SessionRecord } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import { button } from '../../page/button.ts';
import { element } from '../../page/element.ts';
import { emptyState, failureBox, skeleton } from '../../page/notice.ts';
import { livePicture } from '../live/live-picture.ts';
import { readList } from '../paged.ts';
import { page } from '../ui/page.ts';
import { sessionName, sessionPath } from '../ui/session-words.ts';
import { repeat, type View } from '../view.ts';

const LIST_MS = 3_000;
/** One profile for all walls: the watchers of a session share its encoder. */
const PROFILE = { maxFps: 10, maxLongEdge: 320 } as const;

interface Tile {
  readonly element: HTMLElement;
  readonly stop: AbortController;
}

/** All live sessions as live pictures. */
export const wallPage: View = ({ api, leaving }) => {
  const tiles = new Map<string, Tile>();
  const list = element('ul', { class: 'wall', 'aria-label': 'Live sessions' });
  const place = element('div', { class: 'wall-place' }, skeleton(4, 'card'));

  const open = (session: SessionRecord): Tile => {
    const stop = new AbortController();
    leaving.addEventListener('abort', () => stop.abort(), { signal: stop.signal });
    const picture = livePicture(session, { profile: PROFILE, leaving: stop.signal });
    const name = sessionName(session);
    const link = element(
      'a',
      { href: sessionPath(session.id), 'aria-label': name },
      picture,
      element('span', {}, name),
    );
    return { stop, element: element('li', { 'data-session': session.id }, link) };
  };

  const show = async () => {
    try {
      const { items } = await readList(api, routeTo('GET /service/sessions'), 'sessions', {
        signal: leaving,
        query: { status: 'active' },
      });
      for (const [id, tile] of tiles) {
        if (items.some((session) => session.id === id)) continue;
        tile.stop.abort();
        tile.element.remove();
        tiles.delete(id);
      }
      for (const session of [...items].reverse()) {
        if (tiles.has(session.id)) continue;
        const tile = open(session);
        tiles.set(session.id, tile);
        list.prepend(tile.element);
      }
      if (tiles.size > 0) {
        if (!list.isConnected) place.replaceChildren(list);
      } else if (!place.querySelector('.empty')) {
        const start = element('a', { class: 'button primary', href: '/' }, 'Start a phone');
        place.replaceChildren(
          emptyState('sessions', 'No session is running', 'The wall shows all live sessions.', start),
        );
      }
    } catch (error) {
      if (!leaving.aborted && tiles.size === 0) place.replaceChildren(failureBox(error, refresh));
    }
  };
  const refresh = repeat(show, LIST_MS, leaving);
  const full = button('Full screen', () => void place.requestFullscreen(), { icon: 'fullScreen' });
  return page('Wall', document.fullscreenEnabled ? [full] : [], place);
};
