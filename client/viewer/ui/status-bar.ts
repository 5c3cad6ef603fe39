import type { ConnectionState } from '../../core/connection.ts';
import type { Viewer } from '../viewer.ts';
import { element } from './element.ts';
import { icon } from './icons.ts';

const WORDS: Readonly<Record<ConnectionState<never>['kind'], string>> = {
  connecting: 'Connecting',
  connected: 'Live',
  waiting: 'Reconnecting',
  ended: 'Ended',
};

/** The line on top: which device this is, how the connection is, and who else is here. */
export function statusBar(viewer: Viewer): HTMLElement {
  const name = element('h1', {}, 'RunCloud');
  const system = element('span', { class: 'system' });
  const state = element('span', { class: 'state' }, WORDS.connecting);
  const role = element('span', { class: 'role', hidden: true }, 'View only');
  const count = element('span');
  const viewers = element('span', { class: 'viewers', hidden: true }, icon('eye'), count);

  viewer.on('state', ({ kind }) => {
    state.textContent = WORDS[kind];
  });
  viewer.on('ready', ({ session, role: own }) => {
    const { model, osVersion } = session.device;
    name.textContent = model;
    system.textContent = `${session.platform === 'ios' ? 'iOS' : 'Android'} ${osVersion}`;
    document.title = `${model} · RunCloud`;
    role.hidden = own !== 'view';
  });
  viewer.on('event', (event) => {
    if (event.event !== 'viewers') return;
    const all = event.viewers.control + event.viewers.view;
    viewers.hidden = all < 2;
    count.textContent = String(all);
    const words = `${all} connections: ${event.viewers.control} in control, ${event.viewers.view} watching`;
    viewers.title = words;
    viewers.setAttribute('aria-label', words);
  });
  return element('header', { class: 'top' }, element('div', { class: 'name' }, name, system), role, viewers, state);
}
