import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { RunCloud } from '../../client/sdk/index.ts';
import type { Port } from '../link/messages.ts';
import { Outbox } from '../link/outbox.ts';
import { PendingCalls } from '../link/pending-calls.ts';
import { createServer } from './create-server.ts';
import type { AgentCall, FromAgents, PlainReply, ToAgents, ToolRequest } from './messages.ts';
import type { Ground } from './tool.ts';

/** The SDK wants an address and a key; its calls go to the gateway by the link, which knows the credential. */
const HERE = 'http://gateway';
const NO_KEY = 'the-gateway-knows-it';

interface Waiting {
  readonly resolve: (reply: PlainReply) => void;
  readonly reject: (error: Error) => void;
}

/** Answers the gateway's calls on the thread of the agents. It keeps nothing from one call to the next. */
export class AgentsSide {
  readonly #outbox: Outbox<FromAgents>;
  readonly #version: string;
  readonly #running = new Map<number, AbortController>();
  readonly #requests = new PendingCalls<Waiting>(({ reject }, reason) => reject(new Error(reason)));

  constructor(port: Port<FromAgents, ToAgents>, version: string) {
    this.#outbox = new Outbox<FromAgents>(port);
    this.#version = version;
    port.onReceive((batch) => {
      for (const message of batch) this.#receive(message);
    });
    port.onClosed((reason) => this.#requests.end(reason));
  }

  #receive(message: ToAgents): void {
    switch (message.kind) {
      case 'ask':
        return void this.#answer(message.call, message.asked);
      case 'abort':
        return this.#running.get(message.call)?.abort();
      case 'answered':
        return this.#requests.take(message.request)?.resolve(message.reply);
    }
  }

  async #answer(call: number, asked: AgentCall): Promise<void> {
    const abort = new AbortController();
    this.#running.set(call, abort);
    let reply: PlainReply | undefined;
    try {
      reply = await this.#reply(call, asked, abort.signal);
    } catch (error) {
      // Of a call that nobody waits for any more there is nothing to tell.
      if (!abort.signal.aborted) console.error(error);
    } finally {
      this.#running.delete(call);
      this.#outbox.push({ kind: 'reply', call, reply });
    }
  }

  async #reply(call: number, { headers, message, only }: AgentCall, signal: AbortSignal): Promise<PlainReply> {
    const fetch = this.#fetchFor(call);
    const ground: Ground = { cloud: new RunCloud({ apiKey: NO_KEY, baseUrl: HERE, fetch }), only };
    const create = () => createServer(ground, this.#version);
    const body = JSON.stringify(message);
    const request = new Request(`${HERE}/mcp`, { method: 'POST', headers, body, signal });
    if (!(await isLegacyRequest(request, message))) {
      // Nothing is ever told without being asked for, so that there is nothing to subscribe to.
      const handler = createMcpHandler(create, { legacy: 'reject', maxSubscriptions: 0 });
      return plain(await handler.fetch(request, { parsedBody: message }));
    }
    const server = create();
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await plain(await transport.handleRequest(request, { parsedBody: message }));
    } finally {
      await server.close();
    }
  }

  /** Calls of the SDK, made by the gateway for the agent's call. */
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

  #ask(call: number, made: ToolRequest, signal: AbortSignal | undefined): Promise<PlainReply> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const request = this.#requests.begin({ resolve, reject });
      signal?.addEventListener('abort', () => this.#requests.take(request)?.reject(signal.reason), { once: true });
      this.#outbox.push({ kind: 'request', call, request, made });
    });
  }
}

async function plain(response: Response): Promise<PlainReply> {
  const type = response.headers.get('content-type');
  return {
    status: response.status,
    headers: type === null ? {} : { 'Content-Type': type },
    body: await response.text(),
  };
}
