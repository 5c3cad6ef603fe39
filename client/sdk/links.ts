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
    const path = pathOf(sessionId);
    const json = checkedLink(link);
    return this.#http.json({ operation: general('links.create'), method: 'POST', path, json, signal });
  }

  /** A page of the links that still open the session, newest first; its `next` is the `cursor` of the next one. */
  async list(sessionId: string, { signal, limit, cursor }: PageOptions = {}): Promise<Page<ViewerLink>> {
    return this.#page(pathOf(sessionId), checkedListQuery({ limit, cursor }), signal);
  }

  /** All of them, newest first, read page by page as they are taken. */
  all(sessionId: string, { signal }: CallOptions = {}): AsyncIterableIterator<ViewerLink> {
    const path = pathOf(sessionId);
    return everyItem((cursor) => this.#page(path, cursor === undefined ? {} : { cursor }, signal));
  }

  #page(path: string, query: Query, signal: AbortSignal | undefined): Promise<Page<ViewerLink>> {
    const call = { operation: general('links.list'), method: 'GET', path, signal, repeatable: true } as const;
    return readPage(this.#http, call, 'viewerLinks', query);
  }

  /** From now on the link opens nothing, and what it opened is closed. */
  async revoke(sessionId: string, linkId: string, { signal }: CallOptions = {}): Promise<void> {
    const path = `${pathOf(sessionId)}/${encodeURIComponent(checkedId('linkId', linkId))}`;
    await this.#http.json({
      operation: general('links.revoke'),
      method: 'DELETE',
      path,
      signal,
      repeatable: true,
    });
  }
}

const pathOf = (sessionId: string): string =>
  `/service/sessions/${encodeURIComponent(checkedId('sessionId', sessionId))}/viewer-links`;
