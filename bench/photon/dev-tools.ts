import { once } from 'node:events';
import WebSocket from 'ws';

type Fields = Readonly<Record<string, unknown>>;

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Fields;
  readonly result?: Fields;
  readonly error?: { readonly message: string };
}

/** The DevTools protocol over one socket: https://chromedevtools.github.io/devtools-protocol/ */
export class DevTools {
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, { resolve(result: Fields): void; reject(error: Error): void }>();
  readonly #listeners = new Map<string, (params: Fields) => void>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#received(JSON.parse(data.toString())));
    socket.on('close', () => {
      for (const { reject } of this.#pending.values()) reject(new Error('the browser is gone'));
      this.#pending.clear();
    });
  }

  static async connect(address: string): Promise<DevTools> {
    const socket = new WebSocket(address, { perMessageDeflate: false });
    await once(socket, 'open');
    return new DevTools(socket);
  }

  /** Opens a page of this size in CSS pixels, with a device pixel ratio of 1. */
  async openPage(width: number, height: number): Promise<DevToolsPage> {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank', newWindow: true });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new DevToolsPage(this, String(sessionId));
    await page.send('Page.enable');
    await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    return page;
  }

  send(method: string, params: Fields = {}, sessionId?: string): Promise<Fields> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
    });
  }

  on(method: string, sessionId: string, listener: (params: Fields) => void): void {
    this.#listeners.set(`${sessionId} ${method}`, listener);
  }

  close(): void {
    this.#socket.terminate();
  }

  #received({ id, method, sessionId, params, result, error }: Answer): void {
    if (id === undefined) return this.#listeners.get(`${sessionId} ${method}`)?.(params ?? {});
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error) pending?.reject(new Error(error.message));
    else pending?.resolve(result ?? {});
  }
}

/** One page of the browser. */
export class DevToolsPage {
  readonly #devTools: DevTools;
  readonly #sessionId: string;

  constructor(devTools: DevTools, sessionId: string) {
    this.#devTools = devTools;
    this.#sessionId = sessionId;
  }

  send(method: string, params: Fields = {}): Promise<Fields> {
    return this.#devTools.send(method, params, this.#sessionId);
  }

  on(method: string, listener: (params: Fields) => void): void {
    this.#devTools.on(method, this.#sessionId, listener);
  }

  /** Evaluates an expression and awaits promises. Rejects with the error that the page threw. */
  async evaluate<T>(expression: string): Promise<T> {
    const answer = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    const { result, exceptionDetails } = answer as {
      result?: { value: T };
      exceptionDetails?: { text: string; exception?: { description?: string } };
    };
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result?.value as T;
  }
}
