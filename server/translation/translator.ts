import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { Port } from '../link/messages.ts';
import { Outbox } from '../link/outbox.ts';
import { PendingCalls } from '../link/pending-calls.ts';
import type { Admission } from '../rest/facade.ts';
import type { HeaderName, HttpHead, HttpReply } from '../socket/http.ts';
import { dropBody } from '../socket/http.ts';
import type { FromTranslator, MadeRequest, PlainReply, ToTranslator } from './messages.ts';

export interface TranslatorOptions<Asked> {
  /** What is translated, for people: "agents". */
  readonly what: string;
  readonly spawn: () => Port<ToTranslator<Asked>, FromTranslator>;
  /** Makes a call of REST for one that was admitted. */
  readonly call: (head: HttpHead, admission: Admission, body: Uint8Array) => HttpReply | Promise<HttpReply>;
  readonly clock: Clock;
  /** What the thread may answer; anything else is a fault of it. */
  readonly statuses: readonly number[];
}

/** Who calls. */
export interface Caller {
  readonly admission: Admission;
  readonly head: Pick<HttpHead, 'onGone'>;
}

interface Waiting {
  readonly caller: Caller;
  /** Of calls of REST that end with their caller. */
  readonly gone: Set<() => void>;
  readonly settle: (reply: HttpReply) => void;
  readonly fail: (error: ServiceError) => void;
}

interface Thread<Asked> {
  readonly port: Port<ToTranslator<Asked>, FromTranslator>;
  readonly outbox: Outbox<ToTranslator<Asked>>;
  readonly calls: PendingCalls<Waiting>;
}

/**
 * Calls of a protocol of others. A thread of its own, started by the first call, speaks that protocol; each call of REST that it makes
 * for one comes back to the gateway, which makes it as the caller's own: with its rights, rates and quotas.
 */
export class Translator<Asked> {
  readonly #options: TranslatorOptions<Asked>;
  #thread: Thread<Asked> | undefined;
  #isClosed = false;
  /** Running calls of each party. */
  readonly #running = new Map<string, number>();

  constructor(options: TranslatorOptions<Asked>) {
    this.#options = options;
  }

  /** Rejects with a `ServiceError`: `rate_limited`, `interaction_timeout`, or `interaction_transport_error` if the thread ends. */
  async ask(caller: Caller, asked: Asked): Promise<HttpReply> {
    const { party } = caller.admission.payer;
    const running = this.#running.get(party) ?? 0;
    if (running >= LIMITS.translatedCallsPerAccount) {
      const sentence = `At most ${LIMITS.translatedCallsPerAccount} calls of ${this.#options.what} run at once for an account.`;
      throw new ServiceError('rate_limited', sentence, { retryAfterSeconds: 1 });
    }
    this.#running.set(party, running + 1);
    try {
      return await this.#ask(caller, asked);
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

  #ask(caller: Caller, asked: Asked): Promise<HttpReply> {
    const { outbox, calls } = this.#started();
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
      const cancelTimer = this.#options.clock.schedule(LIMITS.translatedCallMs, timeUp);
      const end = (then: () => void) => {
        cancelTimer();
        for (const listener of gone) listener();
        then();
      };
      outbox.push({ kind: 'ask', call, asked });
      // What was not dispatched yet stays so.
      caller.head.onGone(() => giveUp(new ServiceError('interaction_cancelled')));
    });
  }

  #started(): Thread<Asked> {
    if (this.#isClosed) throw new ServiceError('interaction_transport_error', 'The service ends.');
    if (this.#thread) return this.#thread;
    const port = this.#options.spawn();
    const calls = new PendingCalls<Waiting>(({ fail }, reason) => {
      fail(
        new ServiceError('interaction_transport_error', `The thread of ${this.#options.what} has ended: ${reason}.`),
      );
    });
    const thread: Thread<Asked> = { port, outbox: new Outbox<ToTranslator<Asked>>(port), calls };
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

  #receive({ calls, outbox }: Thread<Asked>, message: FromTranslator): void {
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
    if (reply && this.#options.statuses.includes(reply.status)) {
      waiting?.settle({ ...reply, headers: { ...reply.headers, 'Cache-Control': 'no-store' } });
    } else waiting?.fail(new ServiceError('internal_error'));
  }

  async #make({ caller: { admission }, gone }: Waiting, made: MadeRequest): Promise<PlainReply> {
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
