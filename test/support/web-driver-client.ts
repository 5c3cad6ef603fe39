/** What a command of WebDriver is answered with. */
export interface Told {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the service answers
  readonly value: any;
}

/** Sends commands of W3C WebDriver as they are written in its document, by nothing but `fetch`. */
export class WebDriverClient {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  }

  async send(method: string, command: string, body?: unknown): Promise<Told> {
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const response = await fetch(`${this.#url}/wd/${command}`, { method, headers: this.#headers, ...sent });
    const { value } = (await response.json()) as { readonly value: unknown };
    return { status: response.status, value };
  }

  /** Opens a session and resolves with its id. */
  async open(capabilities: object): Promise<string> {
    const { status, value } = await this.send('POST', 'session', { capabilities: { alwaysMatch: capabilities } });
    if (status !== 200) throw new Error(JSON.stringify(value));
    return value.sessionId;
  }

  /** The reference of the first element that is found. */
  async find(session: string, using: string, value: string): Promise<string> {
    const found = await this.send('POST', `session/${session}/element`, { using, value });
    if (found.status !== 200) throw new Error(JSON.stringify(found.value));
    return found.value['element-6066-11e4-a52e-4f735466cecf'];
  }
}
