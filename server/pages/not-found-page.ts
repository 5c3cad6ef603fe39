import type { HttpReply } from '../socket/http.ts';
import { noticeHeaders } from './page-headers.ts';
import { noticeHtml } from './page-html.ts';

/** The page for an unknown address. It repeats nothing of the request, so nothing can be injected. */
export const NOT_FOUND_PAGE: HttpReply = {
  status: 404,
  headers: noticeHeaders("'none'"),
  body: noticeHtml({
    title: 'Page not found',
    text: 'The address is incomplete or out of date.',
    links: [
      { href: '/', text: 'Start a phone' },
      { href: '/dashboard', text: 'Dashboard' },
    ],
  }),
};
