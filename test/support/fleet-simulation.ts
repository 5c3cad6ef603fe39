import { CLOSE } from '@runcloud/protocol';
import { EdgeChannels } from '../../server/fleet/edge-channels.ts';
import { EdgeLog } from '../../server/fleet/edge-log.ts';
import { GrantedCallers } from '../../server/fleet/granted-callers.ts';
import type { GrantSigner, GrantVerifier } from '../../server/fleet/grants.ts';
import { HostCalls } from '../../server/fleet/host-calls.ts';
import { HostChannels } from '../../server/fleet/host-channels.ts';
import { HostLog } from '../../server/fleet/host-log.ts';
import { HostPresence } from '../../server/fleet/host-presence.ts';
import type { Grant } from '../../server/fleet/messages.ts';
import { RelaySockets } from '../../server/fleet/relay-sockets.ts';
import { placeOf } from '../../server/fleet/subjects.ts';
import type { SocketHandler, SocketSender } from '../../server/socket/connection.ts';
import type { HttpHead, HttpReply } from '../../server/socket/http.ts';
import { seeded } from '../conformance/random.ts';
import { KeptLines } from './kept-lines.ts';
import { numberIn, numberPacket, screenPacket } from './numbered-packets.ts';
import { Network, renumbered, Schedule, type SimulatedBus } from './simulated-network.ts';

/**
 * Edges and hosts in one process, with a clock that jumps from event to event and a network that delays, loses, repeats, cuts and
 * restarts: everything by the numbers of one seed, so that a run repeats. What edges and hosts are asked to do is counted, and judged at the end.
 */

/** A protection that is switched off, to see that what it protects from is found. */
export type Without = 'epochs' | 'frame numbers';

export interface SimulationOptions {
  readonly seed: number;
  readonly without?: Without;
}

/** What went wrong; empty where every promise is kept. */
export type Findings = readonly string[];

const RUN_MS = 60_000;
/** Long enough for every loss to be noticed after the network is well again. */
const REST_MS = 45_000;
const EDGES = 2;
const HOSTS = ['h1', 'h2'] as const;

/** One control socket: what each end has sent and received. */
interface Conversation {
  readonly name: string;
  clientSent: number;
  /** Of the client's messages, the latest that its host has received. */
  hostGot: number;
  hostSent: number;
  clientGot: number;
  isOver: boolean;
}

/** One call: what its caller was told, and how often a host has done it. */
interface Call {
  readonly id: string;
  answer: string | undefined;
  effects: number;
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

interface SimulatedEdge {
  readonly bus: SimulatedBus;
  readonly channels: EdgeChannels;
  readonly calls: HostCalls;
  readonly sockets: RelaySockets;
}

class Simulation {
  readonly #schedule = new Schedule();
  readonly #random: () => number;
  readonly #network: Network;
  readonly #without: Without | undefined;
  readonly #epochs = new Map<string, number>();
  readonly #hosts = new Map<string, { readonly bus: SimulatedBus; readonly close: () => void }>();
  readonly #edges: SimulatedEdge[] = [];
  readonly #conversations = new Map<string, Conversation>();
  readonly #calls = new Map<string, Call>();
  readonly #findings: string[] = [];
  /** What all edges have logged, and all hosts. */
  readonly #edgeLines = new KeptLines();
  readonly #hostLines = new KeptLines();
  /** Sockets for hosts that their edge has not heard of. */
  readonly #unknown = new Set<string>();
  /** The packet that every socket shows now. */
  #screen = screenPacket(0);
  #screens = 0;
  #openAtHosts = 0;
  #openAtEdges = 0;

  constructor({ seed, without }: SimulationOptions) {
    this.#random = seeded(seed);
    // The first numbers of neighbouring seeds are neighbours.
    for (let count = 0; count < 20; count++) this.#random();
    this.#without = without;
    this.#network = new Network(this.#schedule, this.#random);
    for (const name of HOSTS) this.#startHost(name);
    for (let index = 0; index < EDGES; index++) this.#edges.push(this.#startEdge(index));
  }

  async run(): Promise<Findings> {
    this.#schedule.schedule(3_000, () => this.#act());
    this.#schedule.schedule(4_000, () => this.#disturb());
    await this.#schedule.runUntil(RUN_MS);
    this.#network.isUnruly = false;
    await this.#schedule.runUntil(RUN_MS + REST_MS);
    this.#judge();
    for (const { close } of this.#hosts.values()) close();
    for (const { channels } of this.#edges) channels.close();
    return this.#findings;
  }

  #find(what: string): void {
    this.#findings.push(what);
  }

  #startHost(name: string): void {
    const epoch = (this.#epochs.get(name) ?? 0) + 1;
    this.#epochs.set(name, epoch);
    const bus = this.#network.join(name);
    const without = this.#without;
    // Nobody forges here; a signature would take most of the time.
    const verify = <Claims>(signed: unknown): Claims | undefined => {
      const claims = JSON.parse(String(signed)) as Claims;
      return without === 'epochs' ? { ...claims, epoch } : claims;
    };
    const channels = new HostChannels({
      bus: without === 'frame numbers' ? renumbered(bus) : bus,
      host: name,
      epoch,
      verifier: { verify } as GrantVerifier,
      callers: new GrantedCallers(() => undefined),
      log: new HostLog({ lines: this.#hostLines, counts: UNCOUNTED, clock: this.#schedule }),
      clock: this.#schedule,
      http: { begin: (head) => this.#serve(head) },
      sockets: { upgrade: (head) => ({ brief: false, open: (outlet) => this.#open(head, outlet) }) },
      knows: () => false,
      outbox: async () => ({ reports: [], position: 0, more: false }),
      adopt: async () => undefined,
      drop: async () => undefined,
      onPublicUrl: () => undefined,
      isCurrent: () => true,
      onEdge: () => undefined,
      onSuperseded: () => undefined,
      onRevoked: () => undefined,
      onFault: (error) => this.#find(`a fault at ${name}: ${String(error)}`),
    });
    const presence = new HostPresence({
      bus,
      host: name,
      epoch,
      clock: this.#schedule,
      devices: () => [],
      sessions: () => 0,
      channels: () => ({ refusals: {}, gaps: 0 }),
      outbox: () => 0,
    });
    const close = () => {
      presence.close();
      channels.close();
    };
    this.#hosts.set(name, { bus, close });
  }

  #startEdge(index: number): SimulatedEdge {
    const bus = this.#network.join(`edge ${index}`);
    const channels = new EdgeChannels({
      bus,
      signer: { sign: (claims: object) => JSON.stringify(claims) } as GrantSigner,
      clock: this.#schedule,
      publicUrl: () => 'http://fleet',
      isRemoved: () => false,
      onHost: () => undefined,
      onMark: () => undefined,
      onPresence: () => undefined,
      onWant: () => undefined,
      onFault: (error) => this.#find(`a fault at an edge: ${String(error)}`),
    });
    const log = new EdgeLog({ lines: this.#edgeLines, metrics: UNCOUNTED, clock: this.#schedule });
    const sockets = new RelaySockets({
      channels,
      log,
      clock: this.#schedule,
      own: {
        upgrade: ({ path }) => {
          this.#unknown.add(path);
          return refusal(404);
        },
      },
      hostOf: (head) => channels.hostOf(placeOf(head.query)),
      callerOf: () => ({ caller: CALLER }),
      refuse: () => refusal(503),
      onCount: (change) => {
        this.#openAtEdges += change;
      },
    });
    return { bus, channels, calls: new HostCalls(channels, this.#schedule, log), sockets };
  }

  /** A host does what it is asked, and counts it. */
  #serve({ path }: HttpHead): HttpReply {
    const call = this.#calls.get(path);
    if (!call) return refusal(404);
    call.effects++;
    return { status: 200, body: path };
  }

  #open({ path }: HttpHead, outlet: SocketSender): SocketHandler {
    const conversation = this.#conversations.get(path);
    if (!conversation) throw new Error(`no socket ${path}`);
    this.#openAtHosts++;
    let isOpen = true;
    const say = () => {
      if (!isOpen) return;
      outlet.send(this.#next(++conversation.hostSent));
      this.#schedule.schedule(this.#random() * 2_000, say);
    };
    this.#schedule.schedule(this.#random() * 500, say);
    return {
      receive: (message) => {
        const number = Number(textOf(message));
        if (number !== conversation.hostGot + 1) {
          this.#find(`${path}: the host got message ${number} behind ${conversation.hostGot}`);
        }
        conversation.hostGot = number;
      },
      receiveText: () => undefined,
      receivePing: () => undefined,
      drained: () => undefined,
      closed: () => {
        isOpen = false;
        this.#openAtHosts--;
      },
    };
  }

  /** A message with this number: a text, or the picture that others were sent as well, or will be. */
  #next(number: number): Uint8Array {
    if (this.#random() < 0.5) return Buffer.from(String(number));
    if (this.#random() < 0.3) this.#screen = screenPacket(++this.#screens);
    return numberPacket(this.#screen, number);
  }

  /** Clients call and open sockets, now and again. */
  #act(): void {
    if (this.#schedule.monotonicMs() >= RUN_MS) return;
    const edge = this.#pick(this.#edges);
    const host = this.#pick(HOSTS);
    if (this.#random() < 0.7) this.#call(edge, host);
    else this.#connect(edge, host);
    this.#schedule.schedule(this.#random() * 600, () => this.#act());
  }

  #call({ channels, calls }: SimulatedEdge, name: string): void {
    const call: Call = { id: `/call/${this.#calls.size}`, answer: undefined, effects: 0 };
    this.#calls.set(call.id, call);
    const host = channels.hostOf(placeOf(name));
    if (!host) {
      call.answer = 'unknown host';
      return;
    }
    const asked = { method: 'GET', path: call.id, query: '', headers: {}, address: '127.0.0.1' } as const;
    const head = { kind: 'http', requestId: call.id, ...asked } as const;
    const settle = (answer: string) => {
      if (call.answer !== undefined) this.#find(`${call.id} was answered twice`);
      call.answer = answer;
    };
    calls.call(host, head, { caller: CALLER }).then(
      (reply) => settle(reply.status === 200 ? `done ${textOf(reply.body as Uint8Array)}` : `refused ${reply.status}`),
      (error: { code?: string }) => settle(error.code ?? String(error)),
    );
  }

  #connect({ sockets }: SimulatedEdge, name: string): void {
    const path = `/socket/${this.#conversations.size}`;
    const conversation: Conversation = {
      name: path,
      clientSent: 0,
      hostGot: 0,
      hostSent: 0,
      clientGot: 0,
      isOver: false,
    };
    this.#conversations.set(path, conversation);
    const outcome = sockets.upgrade(headOf(path, name));
    if (!('later' in outcome)) {
      conversation.isOver = true;
      return;
    }
    void outcome.later.then((decided) => {
      if ('status' in decided) {
        conversation.isOver = true;
        return;
      }
      let handler: SocketHandler | undefined;
      const over = (code: number) => {
        if (conversation.isOver) return;
        conversation.isOver = true;
        handler?.closed(code);
      };
      const outlet: SocketSender = {
        bufferedBytes: 0,
        send: (message) => {
          const number = numberIn(message);
          if (conversation.isOver) this.#find(`${path}: the client got ${number} after its end`);
          if (number !== conversation.clientGot + 1) {
            this.#find(`${path}: the client got message ${number} behind ${conversation.clientGot}`);
          }
          conversation.clientGot = number;
          return 'sent';
        },
        together: (write) => write(),
        close: ({ code }) => over(code),
      };
      handler = decided.open(outlet);
      const say = () => {
        if (conversation.isOver) return;
        if (this.#schedule.monotonicMs() > RUN_MS + 20_000) return over(CLOSE.normal.code);
        handler?.receive(Buffer.from(String(++conversation.clientSent)));
        this.#schedule.schedule(this.#random() * 1_500, say);
      };
      say();
    });
  }

  /** Something is lost, now and again. */
  #disturb(): void {
    if (this.#schedule.monotonicMs() >= RUN_MS) return;
    const chance = this.#random();
    const name = this.#pick(HOSTS);
    const host = this.#hosts.get(name);
    const edge = this.#pick(this.#edges);
    const downMs = this.#random() * 6_000;
    if (chance < 0.25) {
      host?.bus.die();
      this.#schedule.schedule(downMs, () => {
        host?.close();
        this.#startHost(name);
      });
    } else if (chance < 0.45) {
      edge.bus.die();
      edge.channels.close();
      this.#edges[this.#edges.indexOf(edge)] = this.#startEdge(this.#edges.indexOf(edge));
    } else if (chance < 0.6) {
      host?.bus.cut(downMs, this.#schedule);
    } else if (chance < 0.75) {
      edge.bus.cut(downMs, this.#schedule);
    } else if (chance < 0.9) {
      const { bus } = this.#random() < 0.5 && host ? host : edge;
      bus.isDeaf = true;
      this.#schedule.schedule(downMs * 3, () => bus.cut(500, this.#schedule));
    } else {
      this.#network.restart(downMs / 4);
    }
    this.#schedule.schedule(1_000 + this.#random() * 9_000, () => this.#disturb());
  }

  #judge(): void {
    for (const { id, answer, effects } of this.#calls.values()) {
      if (answer === undefined) this.#find(`${id} was never answered`);
      if (effects > 1) this.#find(`${id} was done ${effects} times`);
      if (answer === `done ${id}` && effects !== 1)
        this.#find(`${id} was told to be done, and was done ${effects} times`);
      if (answer?.startsWith('done') && answer !== `done ${id}`)
        this.#find(`${id} got the answer of another: ${answer}`);
      if (answer === 'host_unreachable' && effects > 0) this.#find(`${id} was told not to be done, and was done`);
    }
    for (const { name, isOver } of this.#conversations.values()) if (!isOver) this.#find(`${name} has no end`);
    this.#judgeLines();
    if (this.#openAtEdges !== 0) this.#find(`${this.#openAtEdges} sockets are left at edges`);
    if (this.#openAtHosts !== 0) this.#find(`${this.#openAtHosts} sockets are left at hosts`);
  }

  /** Whether the logs tell what the callers were told. */
  #judgeLines(): void {
    const ofEdges = (requestId: string) =>
      this.#edgeLines.all.filter((line) => line.requestId === requestId).map(({ msg }) => msg);
    for (const { id, answer = '' } of this.#calls.values()) {
      if (answer === 'unknown host') continue;
      const told = ofEdges(id).join(', ');
      const expected = CALL_LINES[answer] ?? 'a host has answered';
      if (told !== expected) this.#find(`${id} was answered "${answer}", and the log says "${told}"`);
    }
    for (const { name } of this.#conversations.values()) {
      const told = ofEdges(name).join(', ');
      if (this.#unknown.has(name) ? told !== '' : !SOCKET_LINES.has(told))
        this.#find(`the log says of ${name}: "${told}"`);
    }
    const open = new Set<unknown>();
    for (const { msg, channelId } of this.#hostLines.all) {
      if (msg === 'a control socket has opened') open.add(channelId);
      if (msg === 'a control socket has closed' && !open.delete(channelId)) this.#find(`${channelId} closed twice`);
    }
    if (open.size > 0) this.#find(`the logs of the hosts leave ${open.size} sockets open`);
  }

  #pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.#random() * of.length)] as T;
  }
}

const CALLER = {
  principal: { accountId: 'acc_1', organizationId: 'org_1', accountName: 'one', keyId: 'key_1' },
  accountEpoch: 0,
} satisfies Grant['caller'];

const UNCOUNTED = { called: () => undefined, refused: () => undefined, gap: () => undefined };

/** What an edge logs of a call, by what its caller is told. */
const CALL_LINES: Readonly<Record<string, string>> = {
  host_lost: 'a host was lost before its answer',
  host_unreachable: 'a call has not reached its host',
};
/** What an edge may log of a control socket. */
const SOCKET_LINES: ReadonlySet<string> = new Set([
  'a call has not reached its host',
  'a host has refused a control socket',
  'a control socket has not opened',
  'a control socket has opened, a control socket has closed',
]);

const refusal = (status: number): HttpReply => ({ status, body: '' });

/** @param host which the request is for, as its query */
const headOf = (path: string, host: string): HttpHead => ({
  method: 'GET',
  path,
  query: host,
  address: '127.0.0.1',
  network: '127.0.0.1',
  header: (name) => (name === 'x-service-request-id' ? path : undefined),
  onGone: () => undefined,
});

/** Runs one fleet by the numbers of a seed, and tells what went wrong. */
export const simulateFleet = (options: SimulationOptions): Promise<Findings> => new Simulation(options).run();
