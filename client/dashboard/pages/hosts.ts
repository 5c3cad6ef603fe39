import type { HostList } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import { element } from '../../page/element.ts';
import { failureBox, skeleton } from '../../page/notice.ts';
import { page } from '../ui/page.ts';
import { count } from '../ui/words.ts';
import { repeat, type View } from '../view.ts';

const LOOK_MS = 2_000;

type Host = HostList['hosts'][number];

/** The hosts of the service, for its operator. */
export const hostsPage: View = ({ api, leaving }) => {
  const place = element('div', {}, skeleton(2));
  let shown = '';
  const look = async () => {
    try {
      const { hosts } = await api.ask(routeTo('GET /service/hosts'), { signal: leaving });
      const text = JSON.stringify(hosts);
      // What has not changed stays as it is, for those who read it.
      if (text !== shown) place.replaceChildren(element('ul', { class: 'rows' }, ...hosts.map(hostRow)));
      shown = text;
    } catch (error) {
      if (leaving.aborted) return;
      shown = '';
      place.replaceChildren(failureBox(error, again));
    }
  };
  const again = repeat(look, LOOK_MS, leaving);
  return page('Hosts', [], place);
};

const STATES = {
  away: 'It has not been heard of for seconds. Its sessions go on, and can be reached when it is back.',
  draining: 'No new session goes there.',
  here: 'It takes new sessions.',
} as const;

function hostRow(host: Host): HTMLElement {
  const { name, sessions, devices } = host;
  const state = host.state === 'here' && host.isDraining ? 'draining' : host.state;
  const kinds = devices.map(
    ({ model, osVersion, driver, total, free }) => `${free} of ${total} free: ${model}, ${osVersion} (${driver})`,
  );
  return element(
    'li',
    { class: `row${state === 'away' ? ' faded' : ''}`, 'data-id': name },
    element(
      'div',
      { class: 'main' },
      element('strong', {}, name),
      element('span', { class: 'quiet' }, [count(sessions, 'session'), ...kinds].join(' · ')),
    ),
    element('span', { class: `chip ${state}`, title: STATES[state] }, state),
  );
}
