import { element } from '../viewer/ui/element.ts';
import { Toasts } from '../viewer/ui/toasts.ts';
import { accountPage } from './pages/account.ts';
import { appsPage } from './pages/apps.ts';
import { devicePage } from './pages/device.ts';
import { keysPage } from './pages/keys.ts';
import { recordingsPage } from './pages/recordings.ts';
import { sessionsPage } from './pages/sessions.ts';
import { usagePage } from './pages/usage.ts';
import { type IconName, icon } from './ui/icons.ts';
import type { Context, View } from './view.ts';

interface Page {
  readonly title: string;
  readonly view: View;
  /** Absent for a page that no menu leads to. */
  readonly icon?: IconName;
}

/** Pages by their path. */
const PAGES: Readonly<Record<string, Page>> = {
  '/dashboard': { title: 'Sessions', view: sessionsPage, icon: 'sessions' },
  '/dashboard/recordings': { title: 'Recordings', view: recordingsPage, icon: 'recordings' },
  '/dashboard/apps': { title: 'Apps', view: appsPage, icon: 'apps' },
  '/dashboard/keys': { title: 'API keys', view: keysPage, icon: 'keys' },
  '/dashboard/usage': { title: 'Usage', view: usagePage, icon: 'usage' },
  '/dashboard/account': { title: 'Account', view: accountPage, icon: 'account' },
  '/dashboard/device': { title: 'Sign in a program', view: devicePage },
};

export type ShellOptions = Pick<Context, 'api' | 'account' | 'changed'>;

/** The menu and the page beside it. */
export class Shell {
  readonly element: HTMLElement;
  readonly #options: ShellOptions;
  readonly #main = element('main', { id: 'main' });
  readonly #toasts = new Toasts();
  readonly #links = new Map<string, HTMLAnchorElement>();
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
    this.element = element(
      'div',
      { class: 'shell' },
      element('a', { class: 'skip', href: '#main' }, 'Skip to the content'),
      element(
        'nav',
        { 'aria-label': 'Dashboard' },
        element('a', { class: 'brand', href: '/dashboard' }, 'RunCloud'),
        element('ul', {}, ...items),
        element('a', { class: 'reference', href: '/docs' }, 'API reference'),
        element('p', { class: 'who' }, account.email ?? account.name),
      ),
      this.#main,
      this.#toasts.element,
    );
    this.element.addEventListener('click', (event) => this.#follow(event));
  }

  /** Shows the page of the address; `focus` moves to its heading, for those who do not see that it changed. */
  show(focus: boolean): void {
    this.dispose();
    this.#leave = new AbortController();
    const page = PAGES[location.pathname] ?? PAGES['/dashboard'];
    if (!page) return;
    for (const [path, link] of this.#links) {
      if (path === location.pathname) link.setAttribute('aria-current', 'page');
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

  /** Ends what the page goes on doing. */
  dispose(): void {
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
    if (!(link.pathname in PAGES) || link.origin !== location.origin || link.hash !== '') return;
    event.preventDefault();
    this.#go(link.pathname);
  }
}
