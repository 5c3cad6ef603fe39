import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { Port } from '../link/messages.ts';
import { Outbox } from '../link/outbox.ts';
import { PendingCalls } from '../link/pending-calls.ts';
import type { Admission } from '../rest/facade.ts';
import type { HeaderName, HttpHead, HttpReply } from '../socket/http.ts';
import { dropBody } from '../socket/http.ts';
import type { AgentCall, FromAgents, PlainReply, ToAgents, ToolRequest } from './messages.ts';
import type { Only } from './tool.ts';

export interface AgentsOptions {
  readonly spawn: () => Port<ToAgents, FromAgents>;
  /** Makes a call of REST for one that was admitted. */
  readonly call: (head: HttpHead, admission: Admission, body: Uint8Array) => HttpReply | Promise<HttpReply>;
  readonly clock: Clock;
}

/** Who calls. */
export interface Caller {
  readonly admission: Admission;
  readonly head: Pick<HttpHead, 'header' | 'onGone'>;
  readonly only: Only | undefined;
}

/** The headers of a call that the protocol reads. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;
/** What the thread may answer; anything else is a fault of it. */
const STATUSES: ReadonlySet<number> = new Set([200, 202, 400, 404, 406]);

interface Waiting {
  readonly caller: Caller;
  /** Of calls of REST that end with their caller. */
  readonly gone: Set<() => void>;
  readonly settle: (reply: HttpReply) => void;
  readonly fail: (error: ServiceError) => void;
}

interface Thread {
  readonly port: Port<ToAgents, FromAgents>;
  readonly outbox: Outbox<ToAgents>;
  readonly calls: PendingCalls<Waiting>;
}

/**
 * Calls of the Model Context Protocol. A thread of its own, started by the first call, speaks the protocol and carries out the tools; each
 * call of REST that a tool makes comes back to the gateway, which makes it as the caller's own: with its rights, rates and quotas.
 */
export class Agents {
  readonly #options: AgentsOptions;
  #thread: Thread | undefined;
  #isClosed = false;
  /** Running calls of each party. */
  readonly #running = new Map<string, number>();

  constructor(options: AgentsOptions) {
    this.#options = options;
  }

  /** Rejects with a `ServiceError`: `rate_limited`, `interaction_timeout`, or `interaction_transport_error` if the thread ends. */
  async ask(caller: Caller, message: AgentCall['message']): Promise<HttpReply> {
    const { party } = caller.admission.payer;
    const running = this.#running.get(party) ?? 0;
    if (running >= LIMITS.agentCallsPerAccount) {
      const sentence = `At most ${LIMITS.agentCallsPerAccount} calls of agents run at once for an account.`;
      throw new ServiceError('rate_limited', sentence, { retryAfterSeconds: 1 });
    }
    this.#running.set(party, running + 1);
    try {
      return await this.#ask(caller, message);
    } finally {
      const left = (this.#running.get(party) ?? 1) - 1;
      if (left === 0) this.#running.delete(party);
      else this.#running.set(party, left);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = this.#thread;
    thread?.calls.end('the service ends');
    await thread?.port.close();
  }

  #ask(caller: Caller, message: AgentCall['message']): Promise<HttpReply> {
    const { outbox, calls } = this.#started();
    const headers: Record<string, string> = {};
    for (const name of HEADERS) {
      const value = caller.head.header(name);
      if (value !== undefined) headers[name] = value;
    }
    return new Promise<HttpReply>((resolve, reject) => {
      const gone = new Set<() => void>();
      const call = calls.begin({
        caller,
        gone,
        settle: (reply) => end(() => resolve(reply)),
        fail: (error) => end(() => reject(error)),
      });
      const giveUp = (error: ServiceError) => {
        const waiting = calls.take(call);
        if (!waiting) return;
        outbox.push({ kind: 'abort', call });
        waiting.fail(error);
      };
      const timeUp = () => giveUp(new ServiceError('interaction_timeout'));
      const cancelTimer = this.#options.clock.schedule(LIMITS.agentCallMs, timeUp);
      const end = (then: () => void) => {
        cancelTimer();
        for (const listener of gone) listener();
        then();
      };
      outbox.push({ kind: 'ask', call, asked: { headers, message, only: caller.only } });
      // Steps that were not dispatched yet stay so.
      caller.head.onGone(() => giveUp(new ServiceError('interaction_cancelled')));
    });
  }

  #started(): Thread {
    if (this.#isClosed) throw new ServiceError('interaction_transport_error', 'The service ends.');
    if (this.#thread) return this.#thread;
    const port = this.#options.spawn();
    const calls = new PendingCalls<Waiting>(({ fail }, reason) => {
      fail(new ServiceError('interaction_transport_error', `The thread of the agents has ended: ${reason}.`));
    });
    const thread: Thread = { port, outbox: new Outbox<ToAgents>(port), calls };
    port.onReceive((batch) => {
      for (const message of batch) this.#receive(thread, message);
    });
    port.onClosed((reason) => {
      if (this.#thread === thread) this.#thread = undefined;
      calls.end(reason);
    });
    this.#thread = thread;
    return thread;
  }

  #receive({ calls, outbox }: Thread, message: FromAgents): void {
    if (message.kind === 'request') {
      const waiting = calls.get(message.call);
      // Of a call that has ended, nothing more is carried out.
      if (!waiting) return;
      void this.#make(waiting, message.made).then((reply) => {
        outbox.push({ kind: 'answered', request: message.request, reply });
      });
      return;
    }
    const waiting = calls.take(message.call);
    const { reply } = message;
    if (reply && STATUSES.has(reply.status)) {
      waiting?.settle({ ...reply, headers: { ...reply.headers, 'Cache-Control': 'no-store' } });
    } else waiting?.fail(new ServiceError('internal_error'));
  }

  async #make({ caller: { admission }, gone }: Waiting, made: ToolRequest): Promise<PlainReply> {
    const { method, path, query, headers, body } = made;
    // Who was admitted is not told apart by the address any more.
    const head: HttpHead = {
      method,
      path,
      query,
      address: '',
      network: '',
      header: (name: HeaderName) => headers[name],
      onGone: (listener) => void gone.add(listener),
    };
    const reply = await this.#options.call(head, admission, Buffer.from(body));
    if (reply.file || reply.stream) {
      dropBody(reply);
      return { status: 500, headers: {}, body: '' };
    }
    return { status: reply.status, headers: reply.headers ?? {}, body: reply.body };
  }
}
