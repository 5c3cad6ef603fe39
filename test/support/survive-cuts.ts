import { isDeepStrictEqual } from 'node:util';
import type { Test } from 'tap';
import { CuttingProxy } from './cutting-proxy.ts';
import { ResumingClient, type ResumingClientOptions } from './resuming-client.ts';
import type { TestServer } from './server.ts';

export interface CutsOptions extends Pick<ResumingClientOptions, 'miscountedBy'> {
  readonly cuts: number;
  readonly interactions: number;
}

/** What went wrong, each by what it concerns; everything is empty where resuming keeps its promises. */
export interface Violations {
  /** Requests without a terminal acknowledgement. */
  readonly lost: readonly string[];
  /** Requests with more terminal acknowledgements than times they were sent. */
  readonly doubled: readonly string[];
  /** Requests with different answers to the same id. */
  readonly unequal: readonly string[];
  /** Requests that were answered before an earlier one of the same client. */
  readonly disordered: readonly string[];
  /** Connections that could not be resumed. */
  readonly refused: number;
  /** Messages that a client with everything was sent again at the end, or that the service could not give it. */
  readonly miscounted: number;
  /** How often the device did what it was acknowledged once to do, without those. */
  readonly effects: number;
}

/** Every promise is kept. */
export const NO_VIOLATIONS: Violations = {
  lost: [],
  doubled: [],
  unequal: [],
  disordered: [],
  refused: 0,
  miscounted: 0,
  effects: 0,
};

export interface CutsReport {
  readonly violations: Violations;
  readonly cuts: CuttingProxy['cuts'];
  readonly requests: number;
  /** Milliseconds from the attempt to `ready`, in their order of size. */
  readonly resumedMs: readonly number[];
}

const CLIENTS = 4;
const AT_ONCE = 12;
/** Without any message for so long, what is still open is lost. */
const PATIENCE_MS = 4_000;

type Asked = Readonly<Record<string, unknown>> & { readonly requestId: string };

/** One client with its script: a mixture of effects that are counted, cancels, gestures, live pointers and repeated ids. */
class Script {
  readonly client: ResumingClient;
  /** How often each request was sent. */
  readonly sends = new Map<string, number>();
  /** Ids of requests whose effects are counted. */
  readonly counted = new Set<string>();
  /** Requests whose answers keep the order in which they were sent. */
  readonly ordered: string[] = [];
  readonly #bodies: Asked[] = [];
  readonly #name: string;

  constructor(name: string, options: ResumingClientOptions) {
    this.#name = name;
    this.client = new ResumingClient(options);
  }

  get open(): number {
    let open = 0;
    for (const id of this.sends.keys()) if (!this.client.results.has(id)) open++;
    return open;
  }

  /** Sends the next request, or an earlier one again. */
  next(): void {
    const requestId = `${this.#name}-${this.sends.size}`;
    const chance = Math.random();
    const acks = Math.random() < 0.5 ? 'all' : 'final';
    const { client } = this;
    if (chance < 0.75) {
      this.counted.add(requestId);
      this.ordered.push(requestId);
      this.#send({ type: 'interaction', requestId, action: 'simulateMemoryWarning', acks });
    } else if (chance < 0.85) {
      const again = this.#bodies[Math.floor(Math.random() * this.#bodies.length)];
      if (again) this.#send(again);
    } else if (chance < 0.9) {
      this.counted.add(requestId);
      this.#send({ type: 'interaction', requestId, action: 'simulateMemoryWarning', acks });
      client.send({ type: 'cancel', requestId });
    } else if (chance < 0.95) {
      const way = { from: { x: 0.4, y: 0.4 }, to: { x: 0.6, y: 0.4 }, durationMs: 50 };
      this.#send({ type: 'interaction', requestId, action: 'swipe', ...way, acks });
      if (chance < 0.925) client.send({ type: 'cancel', requestId });
    } else {
      const step = (phase: string, x: number) =>
        client.send({ type: 'pointer', requestId, phase, points: [{ x, y: 0.5 }] });
      this.sends.set(requestId, 1);
      step('begin', 0.4);
      step('move', 0.5);
      step('move', 0.6);
      step('end', 0.6);
    }
  }

  #send(message: Asked): void {
    const before = this.sends.get(message.requestId) ?? 0;
    this.sends.set(message.requestId, before + 1);
    if (before === 0) this.#bodies.push(message);
    if (this.#bodies.length > 100) this.#bodies.shift();
    this.client.send(message);
  }
}

/** Four clients act on one phone, over a network that is cut again and again. */
export async function surviveCuts(t: Test, server: TestServer, options: CutsOptions): Promise<CutsReport> {
  const proxy = await CuttingProxy.start(t, server.url, options.cuts);
  return { ...(await surviveLosses(t, server, proxy, options)), cuts: proxy.cuts };
}

/** What makes clients lose their connections. */
export interface Losses {
  /** Where the clients connect. */
  readonly url: string;
  /** Losses to come. */
  readonly left: number;
  /** Called when the session is there, and the clients begin. */
  readonly begin?: () => void;
}

export interface LossesOptions extends Pick<CutsOptions, 'interactions' | 'miscountedBy'> {
  /** Without any message for so long, what is still open is lost. */
  readonly patienceMs?: number;
  /** How long each client rests behind a message. */
  readonly pauseMs?: number;
}

/** Four clients act on one phone, and lose their connections again and again. */
export async function surviveLosses(
  t: Test,
  server: Pick<TestServer, 'rest' | 'inspect'>,
  losses: Losses,
  { interactions, miscountedBy, patienceMs = PATIENCE_MS, pauseMs = 0 }: LossesOptions,
): Promise<Omit<CutsReport, 'cuts'>> {
  const session = await server.rest.createSession('ios');
  const { authorization } = server.rest;
  const parts = { url: losses.url, session, authorization, ...(miscountedBy === undefined ? {} : { miscountedBy }) };
  const scripts = Array.from({ length: CLIENTS }, (_, index) => new Script(`c${index}`, parts));
  losses.begin?.();
  const share = interactions / CLIENTS;
  const run = async (script: Script): Promise<void> => {
    for (;;) {
      while (script.open < AT_ONCE && (script.sends.size < share || losses.left > 0)) script.next();
      if (script.open === 0) return;
      if (!(await script.client.change(patienceMs))) return;
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  await Promise.all(scripts.map(run));
  const before = scripts.map(({ client }) => client.log.length);
  const miscounted = await resumeOnceMore(scripts);
  const { memoryWarnings } = await server.inspect('ios', session.id);
  const violations = judge(scripts, memoryWarnings, miscounted);
  const resumedMs = scripts.flatMap(({ client }) => client.resumedMs).sort((one, other) => one - other);
  for (const { client } of scripts) client.close();
  await server.rest.releaseSession(session.id);
  const requests = scripts.reduce((sum, { sends }) => sum + sends.size, 0);
  t.comment(`${before.reduce((sum, count) => sum + count, 0)} numbered messages`);
  return { violations, requests, resumedMs };
}

/** Events about other clients may come behind an answer. */
const PINGS_MAX = 20;

/** A client that has everything is sent nothing when it resumes, or its numbers are not those of the service. */
async function resumeOnceMore(scripts: readonly Script[]): Promise<number> {
  const spoken = async (client: ResumingClient, id: number): Promise<void> => {
    client.send({ type: 'ping', id });
    while (!client.log.some((message) => message.type === 'pong' && message.id === id)) {
      if (!(await client.change(PATIENCE_MS))) return;
    }
  };
  let extra = 0;
  for (const { client } of scripts) {
    // Events that come by the way are told once; the last message before is none, so that one count too few is seen.
    let pings = 0;
    do await spoken(client, ++pings);
    while (client.log.at(-1)?.type !== 'pong' && pings < PINGS_MAX);
    const had = client.log.length;
    client.reopen();
    await spoken(client, ++pings);
    const told = client.log.slice(had).filter(({ type }) => type !== 'event');
    extra += Math.abs(told.length - 1);
  }
  return extra;
}

function judge(scripts: readonly Script[], memoryWarnings: number, miscounted: number): Violations {
  const lost: string[] = [];
  const doubled: string[] = [];
  const unequal: string[] = [];
  const disordered: string[] = [];
  let refused = 0;
  let done = 0;
  for (const { client, sends, counted, ordered } of scripts) {
    refused += client.refused;
    for (const [id, times] of sends) {
      const [first, ...others] = client.results.get(id) ?? [];
      if (!first) lost.push(id);
      if (others.length >= times) doubled.push(id);
      if (others.some((other) => !isDeepStrictEqual(first, other))) unequal.push(id);
      if (counted.has(id) && first?.status === 'completed') done++;
    }
    const places = new Map<string, number>();
    for (const [place, message] of client.log.entries()) {
      if (message.type === 'result' && !places.has(message.requestId)) places.set(message.requestId, place);
    }
    let last = -1;
    for (const id of ordered) {
      const place = places.get(id) ?? last;
      if (place < last) disordered.push(id);
      last = Math.max(last, place);
    }
  }
  return { lost, doubled, unequal, disordered, refused, miscounted, effects: memoryWarnings - done };
}
