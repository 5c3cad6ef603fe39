import type { Client } from '../../client/sdk/client.ts';
import { RunCloud } from '../../client/sdk/index.ts';
import type { Port } from '../link/messages.ts';
import { Outbox } from '../link/outbox.ts';
import { PendingCalls } from '../link/pending-calls.ts';
import type { FromTranslator, MadeRequest, PlainReply, ToTranslator } from './messages.ts';

/** The SDK wants an address and a key; its calls go to the gateway by the link, which knows the credential. */
export const HERE = 'http://gateway';
const NO_KEY = 'the-gateway-knows-it';

interface Waiting {
  readonly resolve: (reply: PlainReply) => void;
  readonly reject: (error: Error) => void;
}

/** Answers one call, by calls of REST that are the caller's own. What it throws is a fault of the service. */
export type Answer<Asked> = (asked: Asked, cloud: Client, signal: AbortSignal) => Promise<PlainReply>;

/** Answers the gateway's calls on the thread of a translator. */
export class TranslatorSide<Asked> {
  readonly #outbox: Outbox<FromTranslator>;
  readonly #answerOf: Answer<Asked>;
  readonly #running = new Map<number, AbortController>();
  readonly #requests = new PendingCalls<Waiting>(({ reject }, reason) => reject(new Error(reason)));

  constructor(port: Port<FromTranslator, ToTranslator<Asked>>, answerOf: Answer<Asked>) {
    this.#outbox = new Outbox<FromTranslator>(port);
    this.#answerOf = answerOf;
    port.onReceive((batch) => {
      for (const message of batch) this.#receive(message);
    });
    port.onClosed((reason) => this.#requests.end(reason));
  }

  #receive(message: ToTranslator<Asked>): void {
    switch (message.kind) {
      case 'ask':
        return void this.#answer(message.call, message.asked);
      case 'abort':
        return this.#running.get(message.call)?.abort();
      case 'answered':
        return this.#requests.take(message.request)?.resolve(message.reply);
    }
  }

  async #answer(call: number, asked: Asked): Promise<void> {
    const abort = new AbortController();
    this.#running.set(call, abort);
    let reply: PlainReply | undefined;
    try {
      const cloud = new RunCloud({ apiKey: NO_KEY, baseUrl: HERE, fetch: this.#fetchFor(call) });
      reply = await this.#answerOf(asked, cloud, abort.signal);
    } catch (error) {
      // Of a call that nobody waits for any more there is nothing to tell.
      if (!abort.signal.aborted) console.error(error);
    } finally {
      this.#running.delete(call);
      this.#outbox.push({ kind: 'reply', call, reply });
    }
  }

  /** Calls of the SDK, made by the gateway for this call. */
  #fetchFor(call: number): typeof fetch {
    return async (input, init = {}) => {
      const { pathname, search } = new URL(String(input));
      const headers = Object.fromEntries(new Headers(init.headers));
      const body = typeof init.body === 'string' ? init.body : '';
      const made = { method: init.method ?? 'GET', path: pathname, query: search.slice(1), headers, body };
      const { status, headers: told, body: content } = await this.#ask(call, made, init.signal ?? undefined);
      const isEmpty = status === 204 || status === 304;
      return new Response(isEmpty ? null : (content as BodyInit), { status, headers: told });
    };
  }

  #ask(call: number, made: MadeRequest, signal: AbortSignal | undefined): Promise<PlainReply> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const request = this.#requests.begin({ resolve, reject });
      signal?.addEventListener('abort', () => this.#requests.take(request)?.reject(signal.reason), { once: true });
      this.#outbox.push({ kind: 'request', call, request, made });
    });
  }
}
