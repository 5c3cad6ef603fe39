import { element } from '../page/element.ts';
import { type IconName, icon } from '../page/icons.ts';
import { Toasts } from '../page/toasts.ts';
import { accountPage } from './pages/account.ts';
import { appsPage } from './pages/apps.ts';
import { devicePage } from './pages/device.ts';
import { homePage } from './pages/home.ts';
import { hostsPage } from './pages/hosts.ts';
import { keysPage } from './pages/keys.ts';
import { notFoundPage } from './pages/not-found.ts';
import { recordingPage } from './pages/recording.ts';
import { recordingsPage } from './pages/recordings.ts';
import { sessionPage } from './pages/session.ts';
import { sessionsPage } from './pages/sessions.ts';
import { usagePage } from './pages/usage.ts';
import { wallPage } from './pages/wall.ts';
import { Presence } from './presence.ts';
import type { Context, View } from './view.ts';

interface Page {
  readonly title: string;
  readonly view: View;
  /** Absent for a page that no menu leads to. */
  readonly icon?: IconName;
  /** Path of the menu's item that it stands below; absent for a page that is an item itself, or none. */
  readonly below?: string;
}

/** Pages by their path. */
const PAGES: Readonly<Record<string, Page>> = {
  '/': { title: 'Start a phone', view: homePage },
  '/dashboard': { title: 'Sessions', view: sessionsPage, icon: 'sessions' },
  '/dashboard/wall': { title: 'Wall', view: wallPage, below: '/dashboard' },
  '/dashboard/recordings': { title: 'Recordings', view: recordingsPage, icon: 'recordings' },
  '/dashboard/apps': { title: 'Apps', view: appsPage, icon: 'apps' },
  '/dashboard/keys': { title: 'API keys', view: keysPage, icon: 'keys' },
  '/dashboard/usage': { title: 'Usage', view: usagePage, icon: 'usage' },
  '/dashboard/hosts': { title: 'Hosts', view: hostsPage, below: '/dashboard/usage' },
  '/dashboard/account': { title: 'Account', view: accountPage, icon: 'account' },
  '/dashboard/device': { title: 'Sign in a program', view: devicePage },
};

/** Pages of one item, by the path that its id follows. */
const ITEM_PAGES: Readonly<Record<string, Page & { readonly below: string }>> = {
  '/dashboard/sessions/': { title: 'Session', view: sessionPage, below: '/dashboard' },
  '/dashboard/recordings/': { title: 'Recording', view: recordingPage, below: '/dashboard/recordings' },
};

const NOT_FOUND: Page = { title: 'Page not found', view: notFoundPage };

/** The page of an address, and the path of the menu's item that it stands below. */
function pageAt(path: string): { readonly page: Page; readonly below: string } | undefined {
  const known = Object.hasOwn(PAGES, path) ? PAGES[path] : undefined;
  if (known) return { page: known, below: known.below ?? path };
  const [, parent = ''] = /^(\/dashboard\/[a-z]+\/)\w+$/.exec(path) ?? [];
  const item = Object.hasOwn(ITEM_PAGES, parent) ? ITEM_PAGES[parent] : undefined;
  return item && { page: item, below: item.below };
}

export type ShellOptions = Pick<Context, 'api' | 'account' | 'changed'>;

/** The menu and the page beside it. */
export class Shell {
  readonly element: HTMLElement;
  readonly #options: ShellOptions;
  readonly #main = element('main', { id: 'main' });
  readonly #toasts = new Toasts();
  readonly #links = new Map<string, HTMLAnchorElement>();
  readonly #closing = new AbortController();
  #leave = new AbortController();

  constructor(options: ShellOptions) {
    this.#options = options;
    const { account } = options;
    const items: HTMLElement[] = [];
    for (const [path, { title, icon: name }] of Object.entries(PAGES)) {
      if (name === undefined) continue;
      const link = element('a', { href: path }, icon(name), element('span', {}, title));
      this.#links.set(path, link);
      items.push(element('li', {}, link));
    }
    const presence = new Presence((present) => this.#present(present), this.#closing.signal);
    this.element = element(
      'div',
      { class: 'shell' },
      element('a', { class: 'skip', href: '#main' }, 'Skip to the content'),
      element(
        'nav',
        { 'aria-label': 'Dashboard' },
        element('a', { class: 'brand', href: '/' }, 'RunCloud'),
        element('ul', {}, ...items),
        element('a', { class: 'reference', href: '/docs' }, 'API reference'),
        element('p', { class: 'who' }, account.email ?? account.name),
      ),
      element('div', { class: 'content' }, presence.element, this.#main),
      this.#toasts.element,
    );
    this.element.addEventListener('click', (event) => this.#follow(event));
  }

  /** Shows the page of the address; `focus` moves to its heading, for those who do not see that it changed. */
  show(focus: boolean): void {
    this.#abandon();
    this.#leave = new AbortController();
    const { page, below = '' } = pageAt(location.pathname) ?? { page: NOT_FOUND };
    for (const [path, link] of this.#links) {
      if (path === below) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    document.title = `${page.title} · RunCloud`;
    const context: Context = {
      ...this.#options,
      leaving: this.#leave.signal,
      go: (path) => this.#go(path),
      say: (text) => this.#toasts.show(text),
    };
    this.#main.replaceChildren(page.view(context));
    if (focus) this.#main.querySelector('h1')?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }

  /** Ends everything that the shell and its page go on doing. */
  dispose(): void {
    this.#closing.abort();
    this.#abandon();
  }

  /** What is shown is old while the service is gone, and is read again afterwards, unless the user is in a dialog. */
  #present(present: boolean): void {
    this.#main.classList.toggle('old', !present);
    if (present && !document.querySelector('dialog')) this.show(false);
  }

  /** Ends what the page goes on doing. */
  #abandon(): void {
    this.#leave.abort();
    for (const dialog of document.querySelectorAll('dialog')) dialog.close();
  }

  #go(path: string): void {
    history.pushState(undefined, '', path);
    this.show(true);
  }

  /** A link to a page of ours changes the page in place, unless it is to be opened elsewhere. */
  #follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target !== '') return;
    if (pageAt(link.pathname) === undefined || link.origin !== location.origin || link.hash !== '') return;
    event.preventDefault();
    this.#go(link.pathname + link.search);
  }
}
