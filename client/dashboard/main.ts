import type { Account } from '@runcloud/protocol';
import { routeTo } from '../../protocol/routes/address.ts';
import { Api, ApiError } from '../page/api.ts';
import { failureBox } from '../page/notice.ts';
import { enterByLink, signInForm, welcomeForm } from './pages/entrance.ts';
import { Shell } from './shell.ts';

/** Starts the dashboard: who is here, what may they see, and which page do they want. */

const root = document.querySelector('#dashboard') ?? document.body;
const api = new Api();
let shell: Shell | undefined;

function show(place: HTMLElement): void {
  shell?.dispose();
  shell = undefined;
  document.title = `${place.querySelector('h1')?.textContent ?? 'Dashboard'} · RunCloud`;
  root.replaceChildren(place);
  const first = place.querySelector('input:not([readonly])') ?? place.querySelector('h1');
  if (first instanceof HTMLElement) first.focus();
}

function open(account: Account): void {
  const start = (known: Account, focus: boolean) => {
    shell?.dispose();
    shell = new Shell({ api, account: known, changed: (next) => start(next, true) });
    root.replaceChildren(shell.element);
    shell.show(focus);
  };
  start(account, false);
}

function entered(account: Account): void {
  // The page that was asked for stays; those that only lead in have done their work.
  if (location.pathname === '/dashboard/sign-in') history.replaceState(undefined, '', '/dashboard');
  else if (isEntrance()) history.replaceState(undefined, '', '/');
  open(account);
}

function showFailure(error: unknown): void {
  const place = document.createElement('main');
  place.className = 'entrance';
  place.append(failureBox(error, () => location.reload()));
  show(place);
}

/** The pages that a link of an invitation or of a sign-in leads to. */
const isEntrance = (): boolean => /^\/dashboard\/(?:welcome|enter)$/.test(location.pathname);

async function begin(): Promise<void> {
  const door = { api, entered };
  const token = location.hash.slice(1);
  if (isEntrance() && token !== '') {
    // The link is worth a password until it is used: it must not stay in the history.
    history.replaceState(undefined, '', location.pathname);
    const place = location.pathname.endsWith('welcome')
      ? await welcomeForm(door, token)
      : await enterByLink(door, token);
    if (shell === undefined) show(place);
    return;
  }
  try {
    entered(await api.ask(routeTo('GET /service/account')));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'authentication_required') throw error;
    show(signInForm(door));
  }
}

api.onSignedOut = () => {
  if (shell !== undefined) show(signInForm({ api, entered }, 'You are signed out.'));
};
window.addEventListener('popstate', () => shell?.show(true));
begin().catch(showFailure);
