import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { refusal, toFailure } from './failure.ts';

/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;
/** Where a message of the revision 2026-07-28 names its revision. */
const VERSION = 'io.modelcontextprotocol/protocolVersion';
/** Longer than the service gives a call. */
const ANSWER_MS = 160_000;
/** The longest answer has a picture. */
const ANSWER_BYTES_MAX = 8_388_608;
/** Messages that are not answered yet; more would only wait here instead of in the pipe. */
const AT_ONCE_MAX = 64;

type Message = Readonly<Record<string, unknown>>;

export interface McpBridgeOptions {
  readonly input: Readable;
  readonly write: (message: Message) => void;
  /** The service's end of the protocol. */
  readonly url: string;
  /** The value of the header `Authorization`, for each message anew: a sign-in is renewed. */
  readonly authorization: () => Promise<string>;
  readonly fetch: typeof fetch;
  /** Ends the bridge with all that is in progress. */
  readonly signal: AbortSignal;
}

/**
 * The stdio transport of the Model Context Protocol: each line of the input is one message, which the service's own end, `POST /mcp`,
 * answers. The tools are those of the service, whatever its version, and nothing of the protocol's implementation is loaded here.
 */
export class McpBridge {
  readonly #options: McpBridgeOptions;
  /** By id, as JSON. */
  readonly #running = new Map<string, AbortController>();
  /** The revision that the handshake of 2025 agreed on. */
  #agreed: string | undefined;

  constructor(options: McpBridgeOptions) {
    this.#options = options;
  }

  /** Resolves when the input has ended and everything in progress is answered. */
  async run(): Promise<void> {
    const { input, signal } = this.#options;
    const lines = createInterface({ input, terminal: false });
    signal.addEventListener('abort', () => lines.close(), { once: true });
    const open = new Set<Promise<void>>();
    for await (const line of lines) {
      if (line.trim() === '') continue;
      const answered: Promise<void> = this.#take(line).finally(() => open.delete(answered));
      open.add(answered);
      if (open.size >= AT_ONCE_MAX) await Promise.race(open);
    }
    await Promise.all(open);
  }

  async #take(line: string): Promise<void> {
    const message = parsed(line);
    if (!message) return this.#refuse(null, PARSE_ERROR, 'The line is not a JSON object.');
    const { id, method, params } = message as { id?: unknown; method?: unknown; params?: Message };
    if (method === 'notifications/cancelled') this.#running.get(JSON.stringify(params?.requestId))?.abort();
    const controller = new AbortController();
    const key = id === undefined ? undefined : JSON.stringify(id);
    if (key !== undefined) this.#running.set(key, controller);
    try {
      const answer = await this.#ask(message, controller.signal);
      if (id === undefined || answer === undefined) return;
      const { result } = answer as { result?: { protocolVersion?: unknown } };
      if (method === 'initialize' && typeof result?.protocolVersion === 'string') this.#agreed = result.protocolVersion;
      this.#options.write(answer.jsonrpc === '2.0' ? answer : errorOf(id, answer));
    } catch (error) {
      // Of a call that was cancelled nothing is told.
      if (id === undefined || controller.signal.aborted) return;
      const { envelope } = toFailure(error, this.#options.signal);
      this.#options.write(errorOf(id, envelope));
    } finally {
      if (key !== undefined && this.#running.get(key) === controller) this.#running.delete(key);
    }
  }

  /** The body of the service's answer; absent for what is only taken. */
  async #ask(message: Message, cancelled: AbortSignal): Promise<Message | undefined> {
    const { url, authorization, fetch, signal } = this.#options;
    const headers = { ...HEADERS, ...protocolHeaders(message, this.#agreed), Authorization: await authorization() };
    const ends = AbortSignal.any([signal, cancelled, AbortSignal.timeout(ANSWER_MS)]);
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(message),
      redirect: 'manual',
      signal: ends,
    }).catch((error: unknown) => {
      if (ends.aborted && !AbortSignal.any([signal, cancelled]).aborted)
        throw unanswered(url, 'did not answer in time');
      throw ends.aborted ? error : unanswered(url, 'cannot be reached');
    });
    const text = await textOf(response);
    if (response.status === 202) return undefined;
    const answer = parsed(text);
    if (answer) return answer;
    throw unanswered(url, `gave an answer of status ${response.status} that is not of this protocol`);
  }

  #refuse(id: unknown, code: number, message: string): void {
    this.#options.write({ jsonrpc: '2.0', id, error: { code, message } });
  }
}

const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' } as const;

/** What the transport over HTTP says in its headers, beside the message. */
function protocolHeaders({ method, params }: Message, agreed: string | undefined): Readonly<Record<string, string>> {
  const { _meta, name, uri } = (params ?? {}) as { _meta?: Message; name?: unknown; uri?: unknown };
  const version = _meta?.[VERSION];
  if (typeof version !== 'string') return agreed === undefined ? {} : { 'MCP-Protocol-Version': agreed };
  const named = [name, uri].find((text) => typeof text === 'string');
  return {
    'MCP-Protocol-Version': sendable(version),
    'Mcp-Method': sendable(String(method)),
    ...(named === undefined ? {} : { 'Mcp-Name': sendable(String(named)) }),
  };
}

/** A header has visible ASCII; the protocol has a form for everything else. */
const sendable = (text: string): string =>
  /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;

/** A failure in the envelope of the service or of this program, as the protocol tells it. */
function errorOf(id: unknown, envelope: Message): Message {
  const { code, message, action } = (envelope.error ?? {}) as { code?: unknown; message?: unknown; action?: unknown };
  const words = [`${code}: ${message}`, action].filter((part) => typeof part === 'string').join(' ');
  return { jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message: words, data: { code } } };
}

const unanswered = (url: string, what: string): Error => refusal('transport_error', `The service at ${url} ${what}.`);

function parsed(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}

/** Empty if it is longer than any answer. */
async function textOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > ANSWER_BYTES_MAX) return '';
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
