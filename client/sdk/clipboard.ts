import { routeTo } from '../../protocol/routes/address.ts';
import type { CallOptions, InputOptions } from './actions.ts';
import { checkedWrittenText } from './arguments.ts';
import type { Http, HttpCall } from './http.ts';
import { forced, READ_CLIPBOARD, WRITE_CLIPBOARD } from './operations.ts';
import type { ClipboardText, Platform } from './types.ts';

/** The clipboard of a session's device: what apps copy and paste. Calls keep their place behind earlier interactions. */
export class Clipboard {
  readonly #http: Http;
  readonly #about: { readonly sessionId: string; readonly platform: Platform };

  constructor(http: Http, about: { readonly sessionId: string; readonly platform: Platform }) {
    this.#http = http;
    this.#about = about;
  }

  /** The text that it holds: the first 10,000 characters, `truncated` if there are more. */
  async read({ signal }: CallOptions = {}): Promise<ClipboardText> {
    const to = routeTo('GET /service/{platform}/{sessionId}/clipboard', this.#about);
    return this.#text({ operation: READ_CLIPBOARD, ...to, signal });
  }

  /**
   * Writes a text of 0 to 10,000 Unicode characters; resolves with what the clipboard then holds, read from the device. Throws
   * `TypeError` or `RangeError` for what is no such text.
   */
  async write(text: string, { signal, force }: InputOptions = {}): Promise<ClipboardText> {
    const to = forced(routeTo('PUT /service/{platform}/{sessionId}/clipboard', this.#about), force);
    const json = { text: checkedWrittenText(text) };
    // Written twice, it is the same text.
    return this.#text({ operation: WRITE_CLIPBOARD, ...to, json, signal, repeatable: true });
  }

  async #text(to: Omit<HttpCall, 'about'>): Promise<ClipboardText> {
    const call = { ...to, about: this.#about };
    const held = await this.#http.json<ClipboardText>(call);
    if (typeof held.text === 'string') return held;
    throw this.#http.invalid(call, 'it has no text', { status: 200 });
  }
}
