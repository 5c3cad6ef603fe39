/// <reference lib="esnext.disposable" preserve="true" />
import { routeTo } from '../../protocol/routes/address.ts';
import type { CallOptions } from './actions.ts';
import {
  checkedId,
  checkedIdempotencyKey,
  checkedPlatform,
  checkedSession,
  checkedSessionListQuery,
} from './arguments.ts';
import { CREATE_SESSION } from './error.ts';
import type { Http } from './http.ts';
import { ViewerLinks } from './links.ts';
import { general } from './operations.ts';
import { everyItem, type Page, type PageOptions, type Query, readPage } from './pages.ts';
import { SessionHandle } from './session.ts';
import type { Surroundings } from './surroundings.ts';
import type { CreateSession, Platform, SessionRecord, SessionStatus } from './types.ts';

/** A session with its record at the time of reading. */
export class Session extends SessionHandle {
  readonly record: SessionRecord;

  constructor(http: Http, surroundings: Surroundings, record: SessionRecord) {
    super(http, surroundings, record);
    this.record = record;
  }

  /** Signed address of the viewer; keep it secret, like a key. */
  get url(): string {
    return this.record.url;
  }
}

/** A session that this program has created. */
export class CreatedSession extends Session {
  /** Releases the session at the end of an `await using`. */
  override async [Symbol.asyncDispose](): Promise<void> {
    await this.delete();
  }
}

export interface CreateSessionOptions extends CallOptions {
  /** 1 to 200 printable characters; a repeated key returns the first session. Default: a new key. */
  readonly idempotencyKey?: string | undefined;
}

/** Filters of a list of sessions. */
export interface SessionFilter extends CallOptions {
  readonly platform?: Platform | undefined;
  readonly status?: SessionStatus | undefined;
}

export interface ListSessionsOptions extends SessionFilter, PageOptions {}

/** Sessions of the account. */
export class Sessions {
  readonly links: ViewerLinks;
  readonly #http: Http;
  readonly #surroundings: Surroundings;

  constructor(http: Http, surroundings: Surroundings) {
    this.#http = http;
    this.#surroundings = surroundings;
    this.links = new ViewerLinks(http);
  }

  /** Creates a session; resolves when its device is ready. If no device is free, `isCapacityError(error)` is true. */
  async create(request: CreateSession, { idempotencyKey, signal }: CreateSessionOptions = {}): Promise<CreatedSession> {
    const json = checkedSession(request);
    const headers = { 'Idempotency-Key': checkedIdempotencyKey(idempotencyKey) };
    const call = {
      operation: general(CREATE_SESSION),
      ...routeTo('POST /service/sessions'),
      headers,
      json,
      signal,
      repeatable: true,
      waitMs: this.#http.bounds.createMs,
    };
    return this.#handle(call, await this.#http.json<SessionRecord>(call), CreatedSession);
  }

  /** Reads a session, even after its end. */
  async get(sessionId: string, { signal }: CallOptions = {}): Promise<Session> {
    return this.#session({
      operation: general('sessions.get'),
      ...routeTo('GET /service/sessions/{sessionId}', { sessionId: checkedId('sessionId', sessionId) }),
      signal,
    });
  }

  /** One page of sessions, newest first; its `next` is the `cursor` of the next page. Ended sessions are listed for 30 days. */
  async list({ signal, platform, status, limit, cursor }: ListSessionsOptions = {}): Promise<Page<Session>> {
    return this.#page(checkedSessionListQuery({ platform, status, limit, cursor }), signal);
  }

  /** All sessions, newest first; pages are read as you iterate. */
  all({ signal, platform, status }: SessionFilter = {}): AsyncIterableIterator<Session> {
    return everyItem((query) => this.#page(query, signal), checkedSessionListQuery({ platform, status }));
  }

  /** Releases a session; an active recording is finalized first. Idempotent. */
  async delete(sessionId: string, { signal }: CallOptions = {}): Promise<Session> {
    return this.#session({
      operation: general('sessions.delete'),
      ...routeTo('DELETE /service/sessions/{sessionId}', { sessionId: checkedId('sessionId', sessionId) }),
      signal,
      repeatable: true,
      waitMs: this.#http.bounds.workMs,
    });
  }

  #page(query: Query, signal: AbortSignal | undefined): Promise<Page<Session>> {
    const operation = general('sessions.list');
    const call = { operation, ...routeTo('GET /service/sessions'), signal };
    return readPage(this.#http, call, 'sessions', query, (record) =>
      this.#handle(call, record as SessionRecord, Session),
    );
  }

  async #session(call: Parameters<Http['json']>[0]): Promise<Session> {
    return this.#handle(call, await this.#http.json<SessionRecord>(call), Session);
  }

  #handle<Handle>(
    call: Parameters<Http['json']>[0],
    record: Partial<SessionRecord> | null,
    kind: new (http: Http, surroundings: Surroundings, record: SessionRecord) => Handle,
  ): Handle {
    if (!isSession(record)) throw this.#http.invalid(call, 'it is no session', { status: 200 });
    return new kind(this.#http, this.#surroundings, record);
  }
}

function isSession(record: Partial<SessionRecord> | null): record is SessionRecord {
  try {
    checkedId('id', record?.id);
    checkedPlatform(record?.platform);
    return true;
  } catch {
    return false;
  }
}
