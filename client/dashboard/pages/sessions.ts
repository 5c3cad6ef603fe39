import type { SessionRecord } from '@runcloud/protocol';
import { PLATFORM_NAMES } from '../../../protocol/platforms.ts';
import { routeTo } from '../../../protocol/routes/address.ts';
import { button } from '../../page/button.ts';
import { element } from '../../page/element.ts';
import { icon } from '../../page/icons.ts';
import { emptyState, failureBox, skeleton } from '../../page/notice.ts';
import { Extent, readList } from '../paged.ts';
import { filterBar } from '../ui/filter-bar.ts';
import { page, section } from '../ui/page.ts';
import { endingText, sessionName, sessionPath } from '../ui/session-words.ts';
import { dateAndTime, span } from '../ui/words.ts';
import { repeat, type View } from '../view.ts';
import { createSession } from './create-session.ts';
import { releaseSession } from './release-session.ts';
import { SessionCard } from './session-card.ts';
import { showLinks } from './session-links.ts';

const LIST_MS = 3_000;
const PICTURES_MS = 1_500;

const ENDED_STATES = [
  ['released', 'Released'],
  ['expired', 'Expired'],
  ['failed', 'Failed'],
] as const;

export const sessionsPage: View = (context) => {
  const { api, leaving, say } = context;
  const cards = new Map<string, SessionCard>();
  const list = element('ul', { class: 'cards', 'aria-label': 'Live sessions' });
  const live = element('div', {}, skeleton(2, 'card'));
  const ended = element('div', {});
  const rows = element('div', {});
  const endedExtent = new Extent(8);
  const filter = filterBar(ENDED_STATES, () => void showEnded());
  const isWanted = (session: SessionRecord) => hasEnded(session) && filter.fits(session, session.status);

  const release = async (session: SessionRecord) => {
    if (await releaseSession(context, session)) refresh();
  };

  const create = async () => {
    const made = await createSession(context);
    if (!made) return;
    say(`The ${PLATFORM_NAMES[made.platform]} session is ready.`);
    await showLive();
    cards.get(made.id)?.element.querySelector('a')?.focus();
  };

  const showSessions = (sessions: readonly SessionRecord[]) => {
    for (const [id, card] of cards) {
      if (sessions.some((session) => session.id === id)) continue;
      card.dispose();
      cards.delete(id);
      void showEnded();
    }
    for (const session of [...sessions].reverse()) {
      const known = cards.get(session.id);
      if (known) known.update(session);
      else {
        const card = new SessionCard(
          session,
          () => void showLinks(context, session),
          () => void release(session),
        );
        cards.set(session.id, card);
        list.prepend(card.element);
      }
    }
    const nothing = 'Start one, then open it here or control it from a program.';
    if (cards.size > 0) {
      if (!list.isConnected) live.replaceChildren(list);
    } else if (!live.querySelector('.empty')) {
      live.replaceChildren(
        emptyState(
          'sessions',
          'No session is running',
          nothing,
          button('New session', () => void create(), { look: 'primary', icon: 'plus' }),
        ),
      );
    }
  };

  const showLive = async () => {
    try {
      const live = await readList(api, routeTo('GET /service/sessions'), 'sessions', {
        signal: leaving,
        query: { status: 'active' },
      });
      showSessions(live.items);
    } catch (error) {
      if (!leaving.aborted && cards.size === 0) live.replaceChildren(failureBox(error, refresh));
    }
  };

  const showEnded = async () => {
    try {
      const enough = (sessions: readonly SessionRecord[]) => sessions.filter(isWanted).length >= endedExtent.count;
      const { items, more } = await readList(api, routeTo('GET /service/sessions'), 'sessions', {
        signal: leaving,
        isEnough: enough,
      });
      const past = { items: items.filter(isWanted), more };
      rows.replaceChildren(
        past.items.length > 0
          ? endedExtent.show(past, endedRow, showEnded)
          : element('p', { class: 'quiet' }, 'No ended session fits.'),
      );
      if (!ended.hasChildNodes() && items.some(hasEnded)) ended.append(section('Ended', filter.element, rows));
    } catch {
      // The list above says what is wrong.
    }
  };

  const showPictures = () =>
    Promise.all(
      [...cards].map(async ([id, card]) => {
        const picture = await api.picture(
          routeTo('GET /service/sessions/{sessionId}/thumbnail', { sessionId: id }),
          leaving,
        );
        if (picture && cards.get(id) === card) card.show(picture);
      }),
    );

  const refresh = repeat(showLive, LIST_MS, leaving);
  repeat(showPictures, PICTURES_MS, leaving);
  void showEnded();
  leaving.addEventListener('abort', () => {
    for (const card of cards.values()) card.dispose();
  });
  return page(
    'Sessions',
    [
      element('a', { class: 'button', href: '/dashboard/wall' }, icon('wall'), 'Wall'),
      button('New session', () => void create(), { look: 'primary', icon: 'plus' }),
    ],
    live,
    ended,
  );
};

const hasEnded = ({ releasedAt }: SessionRecord): boolean => releasedAt !== undefined;

function endedRow(session: SessionRecord): HTMLElement {
  const { id, platform, createdAt, releasedAt = createdAt, releaseReason } = session;
  return element(
    'li',
    { class: 'row ended', 'data-session': id },
    element(
      'span',
      { class: 'main' },
      element('a', { href: sessionPath(id) }, sessionName(session)),
      element('span', { class: 'quiet' }, PLATFORM_NAMES[platform]),
    ),
    element('span', { class: 'reason' }, endingText(releaseReason)),
    element('span', { class: 'quiet time' }, dateAndTime(createdAt)),
    element('span', { class: 'quiet lasted' }, span(Date.parse(releasedAt) - Date.parse(createdAt))),
  );
}
