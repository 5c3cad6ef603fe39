import { ServiceError } from '@runcloud/protocol/terms';
import type { HttpHead, HttpReply } from '../socket/http.ts';
import { dashboardHeaders } from './page-headers.ts';
import { dashboardHtml } from './page-html.ts';

/** Paths below `/dashboard/`; the page's script decides what each shows. */
export const DASHBOARD_PAGES = [
  'wall',
  'recordings',
  'apps',
  'keys',
  'usage',
  'hosts',
  'account',
  'device',
  'sign-in',
  'welcome',
  'enter',
] as const;

/** Pages that show one item, by the first part of their paths below `/dashboard/`. */
export const ITEM_PAGES = ['sessions', 'recordings'] as const;

/** `GET /`, `GET /dashboard` and the pages below it: one static document without any account's data. */
export class DashboardPage {
  readonly #ownOrigin: () => string;
  readonly #storeOrigin: string | undefined;

  /** @param storeOrigin of the object store that has the recordings, if there is one */
  constructor(ownOrigin: () => string, storeOrigin?: string) {
    this.#ownOrigin = ownOrigin;
    this.#storeOrigin = storeOrigin;
  }

  /** `GET /`. Throws `not_found` for a program, and tells it where the API is described. */
  serveHome(head: Pick<HttpHead, 'path' | 'query' | 'header'>): HttpReply {
    if (wantsPage(head)) return this.serve(undefined, head);
    throw new ServiceError('not_found', 'There is only a page for browsers here. /openapi.json describes the API.');
  }

  /**
   * @param item the id at the end of the path of an item's page
   * @throws `not_found` for an unknown page, to a program; a browser gets the dashboard, which says so
   */
  serve(page: string | undefined, head: Pick<HttpHead, 'path' | 'query' | 'header'>, item?: string): HttpReply {
    const pages: readonly string[] = item === undefined ? DASHBOARD_PAGES : ITEM_PAGES;
    const known = page === undefined || pages.includes(page);
    if (!known && !wantsPage(head)) throw new ServiceError('not_found');
    const elsewhere = this.#sameMachine(head);
    if (elsewhere !== undefined) {
      return { status: 307, headers: { Location: elsewhere, 'Cache-Control': 'no-store' }, body: '' };
    }
    return {
      status: known ? 200 : 404,
      headers: dashboardHeaders(this.#ownOrigin(), this.#storeOrigin),
      body: dashboardHtml(),
    };
  }

  /** Browsers treat `localhost` and `127.0.0.1` as two origins, so requests for `localhost` are redirected to ours. */
  #sameMachine(head: Pick<HttpHead, 'path' | 'query' | 'header'>): string | undefined {
    const { hostname, port, origin } = new URL(this.#ownOrigin());
    if (hostname !== '127.0.0.1' || head.header('host')?.toLowerCase() !== `localhost:${port}`) return undefined;
    const { path, query } = head;
    return `${origin}${path}${query === '' ? '' : `?${query}`}`;
  }
}

const wantsPage = (head: Pick<HttpHead, 'header'>): boolean => /\btext\/html\b/i.test(head.header('accept') ?? '');
