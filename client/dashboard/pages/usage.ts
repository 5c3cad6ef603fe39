import type { Usage } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import { element } from '../../page/element.ts';
import { skeleton } from '../../page/notice.ts';
import { loaded, page, section } from '../ui/page.ts';
import { count } from '../ui/words.ts';
import type { View } from '../view.ts';

const DAYS = 30;
const dayName = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The account of the service's operator. */
const OPERATOR = 'local';

export const usagePage: View = ({ api, account, leaving }) => {
  const { place } = loaded(
    async () => {
      const usage = await api.ask(routeTo('GET /service/account/usage'), {
        query: { days: String(DAYS) },
        signal: leaving,
      });
      const { total, activeSessions } = usage;
      const tiles = [
        tile('Running now', activeSessions),
        tile('Sessions', total.sessions),
        tile('Session minutes', Math.round(total.sessionMinutes)),
        tile('Recordings', total.recordings),
      ];
      return element(
        'div',
        {},
        element('dl', { class: 'tiles' }, ...tiles),
        section('Session minutes by day', bars(usage.days)),
        element('p', { class: 'quiet' }, `The last ${DAYS} days, in UTC.`),
      );
    },
    skeleton(3, 'tile'),
  );
  const hosts = element('a', { class: 'button', href: '/dashboard/hosts' }, 'Hosts');
  return page('Usage', account.name === OPERATOR ? [hosts] : [], place);
};

function tile(name: string, value: number): HTMLElement {
  return element('div', { class: 'tile' }, element('dt', {}, name), element('dd', {}, value.toLocaleString('en')));
}

/** A bar for each day; to those who do not see it, a list. */
function bars(days: Usage['days']): HTMLElement {
  const most = Math.max(1, ...days.map(({ sessionMinutes }) => sessionMinutes));
  const items = days.map(({ date, sessions, sessionMinutes }) => {
    const text = `${dayName.format(Date.parse(date))}: ${count(Math.round(sessionMinutes), 'minute')}, ${count(sessions, 'session')}`;
    const bar = element('span', { class: 'bar' });
    bar.style.height = `${(sessionMinutes / most) * 100}%`;
    return element('li', { title: text }, bar, element('span', { class: 'hidden-text' }, text));
  });
  const [first, last] = [days[0], days.at(-1)];
  const ends = [first, last].map((day) => element('span', {}, day ? dayName.format(Date.parse(day.date)) : ''));
  return element(
    'div',
    { class: 'chart' },
    element('p', { class: 'most', 'aria-hidden': 'true' }, count(Math.round(most), 'minute')),
    element('ol', {}, ...items),
    element('div', { class: 'axis', 'aria-hidden': 'true' }, ...ends),
  );
}
