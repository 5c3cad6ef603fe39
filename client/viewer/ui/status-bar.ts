import { PLATFORM_NAMES } from '../../../protocol/platforms.ts';
import type { ConnectionState } from '../../core/connection.ts';
import type { Api } from '../../page/api.ts';
import { button } from '../../page/button.ts';
import { element } from '../../page/element.ts';
import { icon } from '../../page/icons.ts';
import type { Liveness } from '../connection/liveness.ts';
import { endSession } from '../owner/session-actions.ts';
import { share } from '../owner/share-dialog.ts';
import type { Viewer } from '../viewer.ts';
import { controlBar } from './control-bar.ts';
import { timeLeft } from './time-left.ts';

const WORDS: Readonly<Record<ConnectionState<never>['kind'], string>> = {
  connecting: 'Connecting',
  connected: 'Live',
  waiting: 'Reconnecting',
  ended: 'Ended',
};

const LIVENESS: Readonly<Record<Liveness, string>> = { live: WORDS.connected, slow: 'Slow', lost: 'Lost' };

/** The line on top: where you are, how the connection is, who else is here, and what the owner can do with the session. */
export function statusBar(viewer: Viewer, api: Api | undefined, say: (sentence: string) => void): HTMLElement {
  const name = element('h1', {}, 'RunCloud');
  const system = element('span', { class: 'system' });
  const state = element('span', { class: 'state', role: 'status' }, WORDS.connecting);
  const role = element('span', { class: 'role', hidden: true }, 'View only');
  const count = element('span');
  const viewers = element('span', { class: 'viewers', role: 'img', hidden: true }, icon('eye'), count);

  viewer.on('state', ({ kind }) => {
    state.textContent = WORDS[kind];
  });
  viewer.on('liveness', (liveness) => {
    if (viewer.state.kind === 'connected') state.textContent = LIVENESS[liveness];
  });
  viewer.on('ready', ({ session, role: own }) => {
    const { model, osVersion } = session.device;
    const label = session.labels.name;
    const device = `${PLATFORM_NAMES[session.platform]} ${osVersion}`;
    name.textContent = label ?? model;
    name.title = session.id;
    system.textContent = label === undefined ? device : `${model}, ${device}`;
    document.title = `${label ?? model} · RunCloud`;
    role.hidden = own !== 'view';
  });
  viewer.on('event', (event) => {
    if (event.event !== 'viewers') return;
    const all = event.viewers.control + event.viewers.view;
    viewers.hidden = all < 2;
    count.textContent = String(all);
    const words = `${all} connections: ${event.viewers.control} that may control, ${event.viewers.view} watching`;
    viewers.title = words;
    viewers.setAttribute('aria-label', words);
  });
  const top = element('header', { class: 'top' });
  if (api) top.append(element('a', { class: 'away', href: '/dashboard' }, icon('back'), 'Dashboard'));
  const control = controlBar(viewer, api !== undefined, say);
  top.append(element('div', { class: 'name' }, name, system), role, control, viewers, timeLeft(viewer), state);
  if (api) top.append(ownerActions(viewer, api));
  return top;
}

function ownerActions(viewer: Viewer, api: Api): HTMLElement {
  const withSession = (act: (api: Api, sessionId: string) => Promise<unknown>) => () => {
    const id = viewer.ready?.session.id;
    if (id !== undefined) void act(api, id);
  };
  const actions = element(
    'div',
    { class: 'owner' },
    button('Share', withSession(share)),
    button('End session', withSession(endSession)),
  );
  viewer.on('state', ({ kind }) => {
    actions.hidden = kind === 'ended';
  });
  return actions;
}
