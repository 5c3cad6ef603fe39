import type { Acknowledgement, Platform, SessionRecord } from '@runcloud/protocol';

export interface RestAnswer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** Plain `fetch` with a key: what any HTTP client would do. */
export class RestClient {
  readonly url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.url = url;
    this.#key = key;
  }

  get authorization(): string {
    return `Bearer ${this.#key}`;
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, { ...init, headers: { Authorization: this.authorization, ...init.headers } });
  }

  async call<T = Acknowledgement>(method: string, path: string, body?: unknown): Promise<RestAnswer<T>> {
    const response = await this.fetch(path, {
      method,
      ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  }

  async createSession(platform: Platform, options: Record<string, unknown> = {}): Promise<SessionRecord> {
    const { status, body } = await this.call<SessionRecord>('POST', '/service/sessions', { platform, ...options });
    if (status !== 201) throw new Error(`no session: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  releaseSession(id: string): Promise<RestAnswer<SessionRecord>> {
    return this.call('DELETE', `/service/sessions/${id}`);
  }

  interact({ platform, id }: SessionRecord, body: unknown): Promise<RestAnswer<Acknowledgement>> {
    return this.call('POST', `/service/${platform}/${id}/interactions`, body);
  }

  async screenshot({ platform, id }: SessionRecord): Promise<Uint8Array> {
    const response = await this.fetch(`/service/${platform}/${id}/screenshot`);
    if (response.status !== 200) throw new Error(`no screenshot: ${response.status} ${await response.text()}`);
    return new Uint8Array(await response.arrayBuffer());
  }
}
