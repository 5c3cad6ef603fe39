import type { Platform } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import type { HttpReply } from '../socket/http.ts';
import type { Ask, EdgeChannels, KnownHost } from './edge-channels.ts';
import type { HostCalls } from './host-calls.ts';
import type { GrantedCaller } from './messages.ts';

const CAPACITY = 503;
const FOUND = 200;

/** What a creation says about its device, read leniently: the host judges the request. */
interface Wanted {
  readonly platform?: Platform;
  readonly deviceModel?: string;
  readonly osVersion?: string;
  readonly snapshot?: string;
}

/** Chooses the host of each new session. The host has the last word: an edge's view of it is up to a second old. */
export class Placement {
  readonly #channels: EdgeChannels;
  readonly #calls: HostCalls;
  /** The latest creation of each account and idempotency key on its way: a second one waits for it. */
  readonly #underWay = new Map<string, Promise<unknown>>();

  readonly #isDraining: (host: string) => boolean;

  /** @param isDraining whether no new session is to go to the host */
  constructor(channels: EdgeChannels, calls: HostCalls, isDraining: (host: string) => boolean) {
    this.#channels = channels;
    this.#calls = calls;
    this.#isDraining = isDraining;
  }

  create(head: Ask['head'], caller: GrantedCaller, body: Uint8Array): Promise<HttpReply> {
    const key = head.headers['idempotency-key'];
    if (key === undefined) return this.#place(head, caller, body);
    const name = `${caller.principal.accountId} ${key}`;
    const before = this.#underWay.get(name) ?? Promise.resolve();
    const creation = before
      .catch(() => undefined)
      .then(async () => {
        const host = await this.#whoKnows(head, caller, key);
        return host ? this.#calls.call(host, head, { caller, body }) : this.#place(head, caller, body);
      });
    this.#underWay.set(name, creation);
    const forget = () => {
      if (this.#underWay.get(name) === creation) this.#underWay.delete(name);
    };
    creation.then(forget, forget);
    return creation;
  }

  /** The host that has a session for this key. */
  async #whoKnows(head: Ask['head'], caller: GrantedCaller, key: string): Promise<KnownHost | undefined> {
    const asked: Ask['head'] = { ...head, kind: 'knows', headers: {} };
    const hosts = this.#channels.hosts;
    const answers = await Promise.all(
      hosts.map((host) =>
        this.#calls.call(host, asked, { caller, body: Buffer.from(key) }).then(
          ({ status }) => status === FOUND,
          // A host that is lost now has lost its sessions for this caller too.
          () => false,
        ),
      ),
    );
    return hosts.find((_, index) => answers[index]);
  }

  async #place(head: Ask['head'], caller: GrantedCaller, body: Uint8Array): Promise<HttpReply> {
    const wanted = readWanted(body);
    const untried = new Set(await this.#candidates(wanted, head, caller));
    let reply: HttpReply | undefined;
    while (untried.size > 0) {
      const host = mostFree(untried, wanted);
      untried.delete(host);
      reserve(host, wanted);
      reply = await this.#calls.call(host, head, { caller, body });
      if (reply.status !== CAPACITY) return reply;
    }
    if (!reply) throw new ServiceError('simulator_capacity_unavailable', 'All hosts that answer are being drained.');
    return reply;
  }

  /** Hosts with such a device; any host where none has one: it says what there is. */
  async #candidates(wanted: Wanted, head: Ask['head'], caller: GrantedCaller): Promise<readonly KnownHost[]> {
    const hosts = this.#channels.hosts.filter(({ name }) => !this.#isDraining(name));
    if (wanted.snapshot !== undefined) {
      const path = `/service/snapshots/${encodeURIComponent(wanted.snapshot)}`;
      const asked: Ask['head'] = { ...head, method: 'GET', path, query: '', headers: {} };
      for (const host of hosts) {
        const { status } = await this.#calls.call(host, asked, { caller });
        if (status === FOUND) return [host];
      }
    }
    const fitting = hosts.filter(({ presence }) => presence.devices.some((devices) => fits(devices, wanted)));
    if (fitting.length > 0) return fitting;
    const samePlatform = hosts.filter(({ presence }) =>
      presence.devices.some(({ platform }) => platform === wanted.platform),
    );
    return [...samePlatform, ...hosts].slice(0, 1);
  }
}

type Devices = KnownHost['presence']['devices'][number];

const fits = (devices: Devices, { platform, deviceModel, osVersion }: Wanted): boolean =>
  devices.platform === platform &&
  (deviceModel === undefined || devices.model === deviceModel) &&
  (osVersion === undefined || devices.osVersion === osVersion);

function mostFree(hosts: Iterable<KnownHost>, wanted: Wanted): KnownHost {
  const freeOf = ({ presence }: KnownHost) =>
    presence.devices.reduce((sum, devices) => sum + (fits(devices, wanted) ? devices.free : 0), 0);
  return [...hosts].reduce((most, host) => (freeOf(host) > freeOf(most) ? host : most));
}

/** Counts a device as taken until the host tells its new count: creations that come together are spread, however long each takes. */
function reserve(host: KnownHost, wanted: Wanted): void {
  const stock = host.presence.devices.find((devices) => fits(devices, wanted) && devices.free > 0);
  if (!stock) return;
  const devices = host.presence.devices.map((each) => (each === stock ? { ...each, free: each.free - 1 } : each));
  host.presence = { ...host.presence, devices };
}

function readWanted(body: Uint8Array): Wanted {
  try {
    const read: unknown = JSON.parse(Buffer.from(body).toString());
    return typeof read === 'object' && read !== null ? (read as Wanted) : {};
  } catch {
    return {};
  }
}
