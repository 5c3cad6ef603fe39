import type { SessionRecord } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import { element } from '../../viewer/ui/element.ts';
import { Extent, readList } from '../paged.ts';
import { button } from '../ui/button.ts';
import { openDialog } from '../ui/dialog.ts';
import { emptyState, failureBox, skeleton } from '../ui/notice.ts';
import { page, section } from '../ui/page.ts';
import { dateAndTime, PLATFORM_NAMES, span } from '../ui/words.ts';
import { repeat, type View } from '../view.ts';
import { createSession } from './create-session.ts';
import { SessionCard } from './session-card.ts';
import { showLinks } from './session-links.ts';

const LIST_MS = 3_000;
const PICTURES_MS = 1_500;

/** How a session came to its end, as people say it. */
const ENDINGS: Readonly<Record<string, string>> = {
  requested: 'Released',
  inactivity_timeout: 'Ended: inactivity timeout',
  hard_timeout: 'Ended: maximum duration reached',
  server_stopped: 'Ended: the service was stopped',
  server_restarted: 'Ended: the service was restarted',
  device_lost: 'Failed: its device was lost',
  device_unresponsive: 'Failed: its device did not respond',
};

export const sessionsPage: View = (context) => {
  const { api, leaving, say } = context;
  const cards = new Map<string, SessionCard>();
  const list = element('ul', { class: 'cards', 'aria-label': 'Live sessions' });
  const live = element('div', {}, skeleton(2, 'card'));
  const ended = element('div', {});
  const endedExtent = new Extent(8);

  const release = async ({ id, device }: SessionRecord) => {
    const done = await openDialog({
      title: `Release the ${device.model}?`,
      content: [element('p', {}, 'The session ends for everybody, and its device is reset. Recordings stay.')],
      confirm: 'Release',
      busy: 'Releasing…',
      look: 'danger',
      onConfirm: async () => void (await api.ask(routeTo('DELETE /service/sessions/{sessionId}', { sessionId: id }))),
    });
    if (!done) return;
    say('The session was released.');
    refresh();
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
    const nothing = 'A session gives you a phone for a while: open it here, or control it from a program.';
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
      const enough = (sessions: readonly SessionRecord[]) => sessions.filter(hasEnded).length >= endedExtent.count;
      const { items, more } = await readList(api, routeTo('GET /service/sessions'), 'sessions', {
        signal: leaving,
        isEnough: enough,
      });
      const past = { items: items.filter(hasEnded), more };
      const table = past.items.length === 0 ? [] : [section('Ended', endedExtent.show(past, endedRow, showEnded))];
      ended.replaceChildren(...table);
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
  return page('Sessions', [button('New session', () => void create(), { look: 'primary', icon: 'plus' })], live, ended);
};

const hasEnded = ({ releasedAt }: SessionRecord): boolean => releasedAt !== undefined;

function endedRow({
  device,
  platform,
  createdAt,
  releasedAt = createdAt,
  releaseReason = '',
}: SessionRecord): HTMLElement {
  return element(
    'li',
    { class: 'row' },
    element(
      'span',
      { class: 'main' },
      `${device.model}`,
      element('span', { class: 'quiet' }, PLATFORM_NAMES[platform]),
    ),
    element('span', {}, ENDINGS[releaseReason] ?? 'Ended'),
    element(
      'span',
      { class: 'quiet' },
      `${dateAndTime(createdAt)} · ${span(Date.parse(releasedAt) - Date.parse(createdAt))}`,
    ),
  );
}
