import type { Acknowledgement, ClipboardText, ErrorBody, OpenUrlResult, SessionRecord } from '@runcloud/protocol';
import { ControlClient } from '../support/control-client.ts';
import type { TestServer } from '../support/server.ts';

/** An interaction as a client writes it: flat, with its `requestId`. */
export type Request = Readonly<Record<string, unknown>> & { readonly requestId: string; readonly action: string };

export interface Answer {
  readonly acknowledgement: Acknowledgement;
  /** Only where the transport has one. */
  readonly httpStatus?: number;
}

/** The answer to opening a URL; `result` is unchanged, so that a test can check every field. */
export interface OpenUrlAnswer {
  readonly result?: OpenUrlResult;
  readonly error?: ErrorBody;
}

/** The answer to reading or writing the clipboard. */
export interface ClipboardAnswer {
  readonly result?: ClipboardText;
  readonly error?: ErrorBody;
}

/** One way to reach a session; whatever it is, the same requests have the same effects and answers. */
export interface Transport {
  readonly name: string;
  /** Sends a request and resolves with its terminal acknowledgement. */
  perform(request: Request): Promise<Answer>;
  /** Resolves once the cancel was sent; tells whether it met something, where the transport tells. */
  cancel(requestId: string): Promise<boolean | undefined>;
  openUrl(url: string): Promise<OpenUrlAnswer>;
  /** Reads the clipboard, after writing a text if there is one. */
  clipboard(text?: string): Promise<ClipboardAnswer>;
  screenshot(): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface TransportKind {
  readonly name: string;
  open(server: TestServer, session: SessionRecord): Promise<Transport>;
}

const rest: TransportKind = {
  name: 'REST',
  async open({ rest: client }, session) {
    const { platform, id } = session;
    return {
      name: this.name,
      async perform(request) {
        const { status, body } = await client.interact(session, request);
        return { acknowledgement: body, httpStatus: status };
      },
      async cancel(requestId) {
        const path = `/service/${platform}/${id}/interactions/${requestId}`;
        const { body } = await client.call<{ readonly cancelled: boolean }>('DELETE', path);
        return body.cancelled;
      },
      async openUrl(url) {
        const { body } = await client.call<OpenUrlResult | Acknowledgement>(
          'POST',
          `/service/${platform}/${id}/open-url`,
          {
            url,
          },
        );
        if (body.ok && 'url' in body) return { result: body };
        return 'error' in body && body.error ? { error: body.error } : {};
      },
      async clipboard(text) {
        const path = `/service/${platform}/${id}/clipboard`;
        const { body } =
          text === undefined
            ? await client.call<ClipboardText | Acknowledgement>('GET', path)
            : await client.call<ClipboardText | Acknowledgement>('PUT', path, { text });
        return 'text' in body ? { result: body } : { ...(body.error ? { error: body.error } : {}) };
      },
      screenshot: () => client.screenshot(session),
      close: async () => undefined,
    };
  },
};

const socket: TransportKind = {
  name: 'socket',
  async open({ url, rest: client }, session) {
    const connection = await ControlClient.connect(url, session, client.authorization);
    let screenshots = 0;
    let urls = 0;
    let clipboards = 0;
    return {
      name: this.name,
      async perform(request) {
        // The same id may have been answered before: only what comes from now on answers this request.
        const { length } = connection.messages;
        connection.send({ type: 'interaction', ...request });
        const { type: _, ...acknowledgement } = await connection.next(
          'result',
          (message) => message.requestId === request.requestId && connection.messages.indexOf(message) >= length,
        );
        return { acknowledgement };
      },
      async cancel(requestId) {
        connection.send({ type: 'cancel', requestId });
        return undefined;
      },
      async openUrl(url) {
        const requestId = `url-${process.hrtime.bigint()}-${++urls}`;
        connection.send({ type: 'open-url', requestId, url });
        const { result, error } = await connection.result(requestId);
        return { ...(result ? { result: result as OpenUrlResult } : {}), ...(error ? { error } : {}) };
      },
      async clipboard(text) {
        const requestId = `clipboard-${process.hrtime.bigint()}-${++clipboards}`;
        const type = text === undefined ? 'clipboard.get' : 'clipboard.set';
        connection.send({ type, requestId, ...(text === undefined ? {} : { text }) });
        const { result, error } = await connection.result(requestId);
        return { ...(result ? { result: result as ClipboardText } : {}), ...(error ? { error } : {}) };
      },
      async screenshot() {
        const requestId = `screenshot-${++screenshots}`;
        connection.send({ type: 'screenshot', requestId });
        const image = (await connection.result(requestId)).result?.image;
        if (!(image instanceof Uint8Array)) throw new Error('no screenshot');
        return image;
      },
      close: async () => {
        await connection.close();
      },
    };
  },
};

/** Every transport of the service; the whole suite runs over each of them. */
export const TRANSPORTS: readonly TransportKind[] = [rest, socket];
