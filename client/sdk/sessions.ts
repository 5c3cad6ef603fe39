import type { CallOptions } from './actions.ts';
import { checkedId, checkedIdempotencyKey, checkedSession } from './arguments.ts';
import { CREATE_SESSION } from './error.ts';
import type { Http } from './http.ts';
import { ViewerLinks } from './links.ts';
import { general } from './operations.ts';
import { SessionHandle } from './session.ts';
import type { Surroundings } from './surroundings.ts';
import type { CreateSession, Platform, SessionRecord, SessionStatus } from './types.ts';

/** A session and its record, as it was when it was read. */
export class Session extends SessionHandle {
  readonly record: SessionRecord;

  constructor(http: Http, surroundings: Surroundings, record: SessionRecord) {
    super(http, surroundings, record);
    this.record = record;
  }

  /** Signed address of the viewer: keep it like a key. */
  get url(): string {
    return this.record.url;
  }
}

export interface CreateSessionOptions extends CallOptions {
  /** 1 to 200 printable characters; the same key again returns the first session. Made up where it is absent. */
  readonly idempotencyKey?: string | undefined;
}

export interface ListSessionsOptions extends CallOptions {
  readonly platform?: Platform | undefined;
  readonly status?: SessionStatus | undefined;
}

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

  /** Resolves when the device is usable. When none is free, `isCapacityError` is true of what it rejects with. */
  async create(request: CreateSession, { idempotencyKey, signal }: CreateSessionOptions = {}): Promise<Session> {
    const json = checkedSession(request);
    const headers = { 'Idempotency-Key': checkedIdempotencyKey(idempotencyKey) };
    return this.#session({
      operation: general(CREATE_SESSION),
      method: 'POST',
      path: '/service/sessions',
      headers,
      json,
      signal,
      repeatable: true,
      waitMs: this.#http.bounds.createMs,
    });
  }

  /** Also after the session's end. */
  async get(sessionId: string, { signal }: CallOptions = {}): Promise<Session> {
    return this.#session({
      operation: general('sessions.get'),
      method: 'GET',
      path: pathOf(sessionId),
      signal,
      repeatable: true,
    });
  }

  /** Newest first. */
  async list({ platform, status, signal }: ListSessionsOptions = {}): Promise<readonly Session[]> {
    const filters = Object.entries({ platform, status }).filter(
      (entry): entry is [string, never] => entry[1] !== undefined,
    );
    const query = new URLSearchParams(filters).toString();
    const path = `/service/sessions${query === '' ? '' : `?${query}`}`;
    const call = { operation: general('sessions.list'), method: 'GET', path, signal, repeatable: true } as const;
    const { sessions } = await this.#http.json<{ readonly sessions: unknown }>(call);
    if (!Array.isArray(sessions)) throw this.#http.invalid(call, 'there is no list of sessions in it', { status: 200 });
    return sessions.map((record: SessionRecord) => new Session(this.#http, this.#surroundings, record));
  }

  /** Releases a session: an active recording is finalized first. Repeated: the same. */
  async delete(sessionId: string, { signal }: CallOptions = {}): Promise<Session> {
    return this.#session({
      operation: general('sessions.delete'),
      method: 'DELETE',
      path: pathOf(sessionId),
      signal,
      repeatable: true,
      waitMs: this.#http.bounds.workMs,
    });
  }

  async #session(call: Parameters<Http['json']>[0]): Promise<Session> {
    const record = await this.#http.json<SessionRecord>(call);
    const known = typeof record.id === 'string' && (record.platform === 'ios' || record.platform === 'android');
    if (!known) throw this.#http.invalid(call, 'it is no session', { status: 200 });
    return new Session(this.#http, this.#surroundings, record);
  }
}

const pathOf = (sessionId: string): string =>
  `/service/sessions/${encodeURIComponent(checkedId('sessionId', sessionId))}`;
