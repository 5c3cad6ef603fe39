import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTROL_SUBPROTOCOL, type Platform, randomBase62 } from '@runcloud/protocol';
import type { LoadTarget } from '../load/job.ts';
import { PROFILE_DIR, PROFILE_WATCH } from './profile.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const KEY_CHARACTERS = 40;
const CREATE_SESSION_MS_MAX = 30_000;

/** The file that starts the service; older checkouts have no `run.mjs`. */
const programOf = (root: string | undefined): { readonly file: string; readonly args: readonly string[] } =>
  root === undefined || existsSync(join(root, 'server/run.mjs'))
    ? { file: 'server/run.mjs', args: ['main'] }
    : { file: 'server/main.ts', args: [] };

/** One active session of the service under test. */
export interface ServiceSession {
  readonly id: string;
  readonly interactionsPath: string;
  readonly control: Extract<LoadTarget, { kind: 'socket' }>;
}

/** The service as users start it: its own process, data folder and key, virtual devices, no rate limit. */
export class Service {
  readonly server: ServerProcess;
  readonly key: string;
  readonly #removeData: () => void;

  private constructor(server: ServerProcess, key: string, removeData: () => void) {
    this.server = server;
    this.key = key;
    this.#removeData = removeData;
  }

  /**
   * With `PROFILE_DIR` in the environment it is profiled from its first session on.
   * @param core the core to which it is bound, if any
   * @param preload loaded before its own code
   * @param settings additional settings, such as `RUNCLOUD_DEVICES` for more devices
   * @param root another checkout whose service is started
   */
  static async start(
    core?: number,
    preload?: string,
    settings: Readonly<Record<string, string>> = {},
    root?: string,
  ): Promise<Service> {
    const dataDir = mkdtempSync(join(tmpdir(), 'runcloud-bench-'));
    const removeData = () => rmSync(dataDir, { recursive: true, force: true });
    process.once('exit', removeData);
    const key = randomBase62(KEY_CHARACTERS);
    const env = {
      RUNCLOUD_PORT: '0',
      RUNCLOUD_DATA_DIR: dataDir,
      RUNCLOUD_API_KEY: key,
      RUNCLOUD_RATE_LIMIT: 'off',
      RUNCLOUD_LOG: 'warn',
      ...settings,
    };
    const preloads = [preload, process.env[PROFILE_DIR] && PROFILE_WATCH].filter((each) => each !== undefined);
    try {
      const server = await startServer({
        name: 'RunCloud',
        ...programOf(root),
        root,
        env,
        core,
        preloads,
      });
      return new Service(server, key, removeData);
    } catch (error) {
      removeData();
      throw error;
    }
  }

  get origin(): string {
    return `http://${this.server.host}:${this.server.port}`;
  }

  /** Calls a REST route with the key; throws an error with the service's answer if it fails. */
  post(path: string, body?: object): Promise<Record<string, unknown>> {
    return this.#call('POST', path, body);
  }

  /** Creates so many more keys: how many sockets a second may be opened is bounded for each. */
  async createKeys(count: number): Promise<string[]> {
    const keys: string[] = [];
    while (keys.length < count) {
      const { key } = await this.post('/service/account/keys', { name: `bench ${keys.length}` });
      keys.push(String(key));
    }
    return keys;
  }

  /** Reads a REST route with the key; throws like `post`. */
  get(path: string): Promise<Record<string, unknown>> {
    return this.#call('GET', path);
  }

  async #call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const response = await fetch(this.origin + path, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CREATE_SESSION_MS_MAX),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  }

  /** Calls a REST route with DELETE; throws like `post`. */
  async remove(path: string): Promise<void> {
    await this.#call('DELETE', path);
  }

  /** Number of encodings of screens for viewers since the start, as `/metrics` reports it. */
  async encodings(): Promise<number> {
    const text = await (await fetch(`${this.origin}/metrics`)).text();
    const samples = [...text.matchAll(/^runcloud_screen_encodings_total\{[^}]*\} (\S+)$/gm)];
    return samples.reduce((sum, [, value]) => sum + Number(value), 0);
  }

  async createSession(platform: Platform): Promise<ServiceSession> {
    const { id } = await this.post('/service/sessions', { platform });
    if (typeof id !== 'string') throw new Error('the new session has no id');
    // The host thread has loaded its code by now, which the profile should not contain.
    if (process.env[PROFILE_DIR] !== undefined) await this.server.beginProfile();
    const path = `/service/${platform}/${id}`;
    return {
      id,
      interactionsPath: `${path}/interactions`,
      control: {
        kind: 'socket',
        url: `${this.origin.replace('http', 'ws')}${path}/control`,
        headers: { authorization: `Bearer ${this.key}` },
        subprotocol: CONTROL_SUBPROTOCOL,
        greets: true,
      },
    };
  }

  /** Ends the process and removes its data. */
  async stop(): Promise<void> {
    const profileDir = process.env[PROFILE_DIR];
    try {
      if (profileDir !== undefined) await this.server.endProfile(profileDir);
    } finally {
      await this.server.stop();
      process.off('exit', this.#removeData);
      this.#removeData();
    }
  }
}
