import { ServiceError } from '@runcloud/protocol/terms';
import type { HttpHead, HttpReply } from '../socket/http.ts';
import { dashboardHeaders } from './page-headers.ts';
import { dashboardHtml } from './page-html.ts';

/** Paths below `/dashboard/`; the page's script decides what each shows. */
export const DASHBOARD_PAGES = [
  'recordings',
  'apps',
  'keys',
  'usage',
  'account',
  'device',
  'sign-in',
  'welcome',
  'enter',
] as const;

/** `GET /dashboard` and the pages below it: one static document without any account's data. */
export class DashboardPage {
  readonly #ownOrigin: () => string;

  constructor(ownOrigin: () => string) {
    this.#ownOrigin = ownOrigin;
  }

  /** Throws `not_found` for an unknown page. */
  serve(page: string | undefined, head: Pick<HttpHead, 'path' | 'query' | 'header'>): HttpReply {
    if (page !== undefined && !DASHBOARD_PAGES.some((known) => known === page)) throw new ServiceError('not_found');
    const elsewhere = this.#sameMachine(head);
    if (elsewhere !== undefined) {
      return { status: 307, headers: { Location: elsewhere, 'Cache-Control': 'no-store' }, body: '' };
    }
    return { status: 200, headers: dashboardHeaders(), body: dashboardHtml() };
  }

  /** Browsers treat `localhost` and `127.0.0.1` as two origins, so requests for `localhost` are redirected to ours. */
  #sameMachine(head: Pick<HttpHead, 'path' | 'query' | 'header'>): string | undefined {
    const { hostname, port, origin } = new URL(this.#ownOrigin());
    if (hostname !== '127.0.0.1' || head.header('host')?.toLowerCase() !== `localhost:${port}`) return undefined;
    const { path, query } = head;
    return `${origin}${path}${query === '' ? '' : `?${query}`}`;
  }
}
