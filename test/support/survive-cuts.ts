import type { Test } from 'tap';
import type { AnswerFaults } from './answer-check.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { ResumingClient, type ResumingClientOptions } from './resuming-client.ts';
import type { TestServer } from './server.ts';

export interface CutsOptions extends Pick<ResumingClientOptions, 'miscountedBy'> {
  readonly cuts: number;
  readonly interactions: number;
}

/** What went wrong, each by what it concerns; everything is empty where resuming keeps its promises. */
export interface Violations extends AnswerFaults {
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
  /** Requests that were sent, each once. */
  sends = 0;
  /** Ids of requests whose effects are counted. */
  readonly counted = new Set<string>();
  readonly #bodies: Asked[] = [];
  readonly #name: string;

  constructor(name: string, options: ResumingClientOptions) {
    this.#name = name;
    this.client = new ResumingClient(options);
  }

  get open(): number {
    return this.client.answers.open;
  }

  /** Sends the next request, or an earlier one again. */
  next(): void {
    const requestId = `${this.#name}-${this.sends}`;
    const chance = Math.random();
    const acks = Math.random() < 0.5 ? 'all' : 'final';
    const { client } = this;
    if (chance < 0.75) {
      this.counted.add(requestId);
      this.#send({ type: 'interaction', requestId, action: 'simulateMemoryWarning', acks }, true);
    } else if (chance < 0.85) {
      const again = this.#bodies[Math.floor(Math.random() * this.#bodies.length)];
      if (!again) return;
      client.answers.sent(again.requestId);
      client.send(again);
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
      this.sends++;
      client.answers.sent(requestId);
      step('begin', 0.4);
      step('move', 0.5);
      step('move', 0.6);
      step('end', 0.6);
    }
  }

  #send(message: Asked, ordered = false): void {
    this.sends++;
    this.#bodies.push(message);
    if (this.#bodies.length > 100) this.#bodies.shift();
    this.client.answers.sent(message.requestId, ordered);
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
  const parts = {
    url: () => losses.url,
    session,
    authorization,
    ...(miscountedBy === undefined ? {} : { miscountedBy }),
  };
  const scripts = Array.from({ length: CLIENTS }, (_, index) => new Script(`c${index}`, parts));
  losses.begin?.();
  const share = interactions / CLIENTS;
  const run = async (script: Script): Promise<void> => {
    for (;;) {
      while (script.open < AT_ONCE && (script.sends < share || losses.left > 0)) script.next();
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
  const requests = scripts.reduce((sum, { sends }) => sum + sends, 0);
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
  const found = scripts.map(({ client }) => client.answers.faults());
  const of = (fault: keyof AnswerFaults) => found.flatMap((faults) => faults[fault]);
  const done = scripts.map(({ client, counted }) => {
    const completed = client.log.flatMap((message) =>
      message.type === 'result' && message.status === 'completed' ? [message.requestId] : [],
    );
    return [...new Set(completed)].filter((id) => counted.has(id)).length;
  });
  return {
    lost: of('lost'),
    doubled: of('doubled'),
    unequal: of('unequal'),
    disordered: of('disordered'),
    refused: scripts.reduce((sum, { client }) => sum + client.refused, 0),
    miscounted,
    effects: memoryWarnings - done.reduce((sum, count) => sum + count, 0),
  };
}
