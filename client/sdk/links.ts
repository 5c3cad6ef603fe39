import type { CallOptions } from './actions.ts';
import { checkedId, checkedLink } from './arguments.ts';
import type { Http } from './http.ts';
import { general } from './operations.ts';
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

  /** Links that still open the session, newest first. */
  async list(sessionId: string, { signal }: CallOptions = {}): Promise<readonly ViewerLink[]> {
    const operation = general('links.list');
    const call = { operation, method: 'GET', path: pathOf(sessionId), signal, repeatable: true } as const;
    return (await this.#http.json<{ readonly viewerLinks: readonly ViewerLink[] }>(call)).viewerLinks;
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
