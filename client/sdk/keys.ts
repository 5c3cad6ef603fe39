import type { CallOptions } from './actions.ts';
import { checkedId, checkedKeyRequest } from './arguments.ts';
import type { Http } from './http.ts';
import { general } from './operations.ts';
import type { CreatedKey, CreateKeyRequest, KeyRecord } from './types.ts';

const PATH = '/service/account/keys';

/** API keys of the account. */
export class Keys {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Its `key` is shown this once. Repeating it would make another key, so a lost answer is a failure. */
  async create(request: CreateKeyRequest, { signal }: CallOptions = {}): Promise<CreatedKey> {
    const json = checkedKeyRequest(request);
    return this.#http.json({ operation: general('keys.create'), method: 'POST', path: PATH, json, signal });
  }

  /** Keys that are not revoked, newest first. */
  async list({ signal }: CallOptions = {}): Promise<readonly KeyRecord[]> {
    const call = { operation: general('keys.list'), method: 'GET', path: PATH, signal, repeatable: true } as const;
    const { keys } = await this.#http.json<{ readonly keys: unknown }>(call);
    if (Array.isArray(keys)) return keys as readonly KeyRecord[];
    throw this.#http.invalid(call, 'there is no list of keys in it', { status: 200 });
  }

  /** From now on the key opens nothing, and what it opened is closed. Repeated: the same. */
  async revoke(keyId: string, { signal }: CallOptions = {}): Promise<void> {
    const path = `${PATH}/${encodeURIComponent(checkedId('keyId', keyId))}`;
    await this.#http.json({ operation: general('keys.revoke'), method: 'DELETE', path, signal, repeatable: true });
  }
}
