import { createHash } from 'node:crypto';
import { readScreenHeader, type SessionRecord } from '@runcloud/protocol';
import type { WebSocket } from 'ws';
import { ControlClient, controlAddress, openControl } from './control-client.ts';

const SCREEN_HEADER_BYTES = 32;

/** A control socket that keeps every frame that it is sent, as it came, and acknowledges pictures. */
export class TenantSocket extends ControlClient {
  /** Digests of the pictures. */
  readonly pictures: string[] = [];
  readonly #frames: Buffer[] = [];

  private constructor(socket: WebSocket) {
    super(socket);
    socket.on('message', (data: Buffer) => {
      this.#frames.push(data);
      const header = readScreenHeader(data);
      if (!header) return;
      this.pictures.push(createHash('sha256').update(data.subarray(SCREEN_HEADER_BYTES)).digest('hex'));
      this.send({ type: 'screen.ack', streamId: header.streamId, seq: header.seq });
    });
  }

  /** @param credential a key, or a token of the session */
  static async open(
    url: string,
    session: SessionRecord,
    credential: { readonly key: string } | { readonly token: string },
    resume?: string,
  ): Promise<TenantSocket> {
    const opened = new TenantSocket(
      'key' in credential
        ? openControl(controlAddress(url, session, { resume }), { Authorization: `Bearer ${credential.key}` })
        : openControl(controlAddress(url, session, { token: credential.token, resume }), { Origin: url }),
    );
    await opened.next('ready');
    return opened;
  }

  /** All that it was sent. */
  get bytes(): Buffer {
    return Buffer.concat(this.#frames);
  }

  /** Waits until everything that was sent before is answered, as far as it is answered in turn. */
  async settled(): Promise<void> {
    const from = this.messages.length;
    const id = from + 1_000;
    this.send({ type: 'ping', id });
    await this.next('pong', (pong) => pong.id === id, from);
  }
}
