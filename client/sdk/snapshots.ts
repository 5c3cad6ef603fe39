import { routeTo } from '../../protocol/routes/address.ts';
import type { CallOptions } from './actions.ts';
import { checkedListQuery, checkedSnapshotName } from './arguments.ts';
import type { SnapshotRecord } from './files.ts';
import type { Http } from './http.ts';
import { general } from './operations.ts';
import { everyItem, type Page, type PageOptions, type Query, readPage } from './pages.ts';

/** Kept states of devices, for `snapshot` of new sessions; `session.snapshot(name)` makes one. */
export class Snapshots {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Reads a snapshot. */
  async get(name: string, { signal }: CallOptions = {}): Promise<SnapshotRecord> {
    const operation = general('snapshots.get');
    return this.#http.json({ operation, ...routeTo('GET /service/snapshots/{snapshotName}', named(name)), signal });
  }

  /** One page of snapshots, newest first; its `next` is the `cursor` of the next page. */
  async list({ signal, limit, cursor }: PageOptions = {}): Promise<Page<SnapshotRecord>> {
    return this.#page(checkedListQuery({ limit, cursor }), signal);
  }

  /** All snapshots, newest first; pages are read as you iterate. */
  all({ signal }: CallOptions = {}): AsyncIterableIterator<SnapshotRecord> {
    return everyItem((query) => this.#page(query, signal));
  }

  #page(query: Query, signal: AbortSignal | undefined): Promise<Page<SnapshotRecord>> {
    const call = { operation: general('snapshots.list'), ...routeTo('GET /service/snapshots'), signal };
    return readPage(this.#http, call, 'snapshots', query);
  }

  /** Deletes a snapshot. */
  async delete(name: string, { signal }: CallOptions = {}): Promise<void> {
    const operation = general('snapshots.delete');
    // Not retried: a second try could not tell a deleted snapshot from one that never existed.
    await this.#http.json({ operation, ...routeTo('DELETE /service/snapshots/{snapshotName}', named(name)), signal });
  }
}

const named = (name: string) => ({ snapshotName: checkedSnapshotName(name) });
