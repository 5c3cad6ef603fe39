import { routeTo } from '../../protocol/routes/address.ts';
import type { CallOptions } from './actions.ts';
import { checkedId, checkedLink, checkedListQuery } from './arguments.ts';
import type { Http } from './http.ts';
import { general } from './operations.ts';
import { everyItem, type Page, type PageOptions, type Query, readPage } from './pages.ts';
import type { CreatedViewerLink, CreateViewerLink, ViewerLink } from './types.ts';

/** Links that show a session, or control it, until they expire or are taken back. */
export class ViewerLinks {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Its `url` is shown this once. Repeating it would make another link, so a lost answer is a failure. */
  async create(sessionId: string, link: CreateViewerLink, { signal }: CallOptions = {}): Promise<CreatedViewerLink> {
    const to = routeTo('POST /service/sessions/{sessionId}/viewer-links', named(sessionId));
    return this.#http.json({ operation: general('links.create'), ...to, json: checkedLink(link), signal });
  }

  /** A page of the links that still open the session, newest first; its `next` is the `cursor` of the next one. */
  async list(sessionId: string, { signal, limit, cursor }: PageOptions = {}): Promise<Page<ViewerLink>> {
    return this.#page(named(sessionId), checkedListQuery({ limit, cursor }), signal);
  }

  /** All of them, newest first, read page by page as they are taken. */
  all(sessionId: string, { signal }: CallOptions = {}): AsyncIterableIterator<ViewerLink> {
    const session = named(sessionId);
    return everyItem((query) => this.#page(session, query, signal));
  }

  #page(session: Named, query: Query, signal: AbortSignal | undefined): Promise<Page<ViewerLink>> {
    const to = routeTo('GET /service/sessions/{sessionId}/viewer-links', session);
    const call = { operation: general('links.list'), ...to, signal };
    return readPage(this.#http, call, 'viewerLinks', query);
  }

  /** From now on the link opens nothing, and what it opened is closed. */
  async revoke(sessionId: string, linkId: string, { signal }: CallOptions = {}): Promise<void> {
    const params = { ...named(sessionId), linkId: checkedId('linkId', linkId) };
    const to = routeTo('DELETE /service/sessions/{sessionId}/viewer-links/{linkId}', params);
    await this.#http.json({ operation: general('links.revoke'), ...to, signal, repeatable: true });
  }
}

type Named = ReturnType<typeof named>;

const named = (sessionId: string) => ({ sessionId: checkedId('sessionId', sessionId) });
