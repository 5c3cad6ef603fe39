import type { CloseReason } from '@runcloud/protocol/terms';
import type { LibrarySocket, SendOutcome } from '../socket/connection.ts';
import type { Exchange } from '../socket/exchange.ts';
import { dropBody, type FileBody, type HttpReply, REQUEST_ID_HEADER, type StreamBody } from '../socket/http.ts';
import { BACKPRESSURE_BYTES_MAX } from '../socket/socket-limits.ts';
import { type Channel, WINDOW_BYTES } from './channel.ts';
import { FRAME } from './frames.ts';
import type { ReplyHead } from './messages.ts';
import { isPicture, type SentPictures } from './pictures.ts';

/** Memory of one download. */
const PIECE_BYTES = 65_536;
const NOTHING = new Uint8Array();

/** A request whose client is at an edge. */
export class ServedRequest implements Exchange {
  readonly #channel: Channel;
  readonly #method: string;
  readonly #onAnswer: (reply: HttpReply) => void;
  readonly #onEnd: () => void;
  #state: 'open' | 'answering' | 'ended' = 'open';
  #gone: (() => void) | undefined;
  #take: ((piece: Uint8Array, isLast: boolean) => void) | undefined;
  #isPaused = false;
  #heldBytes = 0;

  constructor(channel: Channel, method: string, onAnswer: (reply: HttpReply) => void, onEnd: () => void) {
    this.#channel = channel;
    this.#method = method;
    this.#onAnswer = onAnswer;
    this.#onEnd = onEnd;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  onGone(listener: () => void): void {
    this.#gone = listener;
  }

  onBody(take: (piece: Uint8Array, isLast: boolean) => void): void {
    this.#take = take;
  }

  /** A piece of the body has come. */
  received(piece: Uint8Array, isLast: boolean): void {
    this.#take?.(piece, isLast);
    this.#heldBytes += piece.byteLength;
    if (!this.#isPaused) this.resume();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#channel.took(this.#heldBytes, true);
    this.#heldBytes = 0;
  }

  answer(reply: HttpReply): void {
    this.write(reply);
  }

  write(reply: HttpReply): void {
    if (this.#state !== 'open') return dropBody(reply);
    this.#state = 'answering';
    this.#onAnswer(reply);
    this.#gone = undefined;
    const { status, requestId, body, bodyBytes, file, stream, close } = reply;
    const headers = { ...reply.headers, ...(requestId !== undefined && { [REQUEST_ID_HEADER]: requestId }) };
    const told = { status, headers, ...(close !== undefined && { close }) };
    if (this.#method === 'HEAD' || status === 304) {
      const isTold = status !== 304 && !stream;
      const omitted = bodyBytes ?? file?.byteLength ?? Buffer.byteLength(body);
      this.#reply({ ...told, body: 'whole', ...(isTold && { bodyBytes: omitted }) });
      dropBody(reply);
      this.#end();
    } else if (file) {
      this.#reply({ ...told, body: 'file', fileBytes: file.byteLength });
      void this.#send(piecesOf(file));
    } else if (stream) {
      this.#reply({ ...told, body: 'stream' });
      void this.#send(stream);
    } else {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      this.#reply({ ...told, body: 'whole' }, bytes);
      this.#end();
    }
  }

  #reply(head: ReplyHead, body: Uint8Array = NOTHING): void {
    if (this.#channel.fitsOnePayload(body)) return this.#channel.sendHead(FRAME.reply, head, body);
    this.#channel.sendHead(FRAME.reply, { ...head, body: 'file', fileBytes: body.byteLength });
    this.#channel.sendData(body);
    this.#channel.send(FRAME.end);
  }

  async #send(body: StreamBody): Promise<void> {
    try {
      for (;;) {
        await this.#channel.room();
        if (this.#state === 'ended') return;
        const piece = await body.next();
        if (piece === undefined) break;
        this.#channel.sendData(piece);
      }
      this.#channel.send(FRAME.end);
    } catch {
      this.#channel.sendHead(FRAME.closed, { code: 1011, reason: 'the body cannot be read' });
    } finally {
      body.close();
      this.#end();
    }
  }

  /** The client or its edge has gone. */
  cut(): void {
    const gone = this.#gone;
    this.#gone = undefined;
    this.#end();
    gone?.();
  }

  #end(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#channel.end();
    this.#onEnd();
  }
}

function piecesOf(file: FileBody): StreamBody {
  const piece = new Uint8Array(PIECE_BYTES);
  let sent = 0;
  return {
    async next() {
      if (sent === file.byteLength) return undefined;
      const count = await file.read(piece.subarray(0, Math.min(PIECE_BYTES, file.byteLength - sent)), sent);
      if (count === 0) throw new Error('the file ends early');
      sent += count;
      return piece.subarray(0, count);
    },
    close: () => file.close(),
  };
}

/** A control socket whose client is at an edge. */
export class ServedSocket implements LibrarySocket {
  readonly #channel: Channel;
  readonly #closed: (reason: Pick<CloseReason, 'code' | 'reason'>) => void;
  /** Absent for an edge that takes each packet whole. */
  readonly #pictures: SentPictures | undefined;
  readonly #picturesBefore: number;
  readonly channelId: string;

  constructor(
    channel: Channel,
    pictures: SentPictures | undefined,
    closed: (reason: Pick<CloseReason, 'code' | 'reason'>) => void,
  ) {
    this.#channel = channel;
    this.#pictures = pictures;
    this.#picturesBefore = pictures?.last ?? 0;
    this.channelId = channel.name;
    this.#closed = closed;
  }

  /** What is within the window counts as sent, as with the buffers of a connection. */
  get bufferedBytes(): number {
    return Math.max(0, this.#channel.underWayBytes - WINDOW_BYTES);
  }

  send(message: Uint8Array): SendOutcome {
    if (this.bufferedBytes > BACKPRESSURE_BYTES_MAX) return 'dropped';
    if (this.#pictures && isPicture(message) && this.#channel.fitsOnePayload(message)) {
      this.#pictures.send(this.#channel, message, this.#picturesBefore);
    } else {
      this.#channel.sendData(message);
    }
    return this.bufferedBytes === 0 ? 'sent' : 'buffered';
  }

  together(write: () => void): void {
    write();
  }

  end({ code, reason }: CloseReason): void {
    this.#channel.sendHead(FRAME.closed, { code, reason });
    this.#closed({ code, reason });
  }
}
