import {
  CONTROL_SUBPROTOCOL,
  decodeServerMessage,
  encodeClientMessage,
  readScreenHeader,
  SCREEN_HEADER_BYTES,
  type ServerMessage,
} from '@runcloud/protocol';
import WebSocket from 'ws';
import { type Eye, h264Eye, hasMark, jpegEye, tilesEye } from './eyes.ts';
import type { OpenTap, PhotonSession, Subject, TapFigures, WatchedEncoding } from './job.ts';
import { placeOf } from './places.ts';
import { inTime } from './tap-loop.ts';

interface NumberedTap extends OpenTap {
  readonly requestId: string;
  inputSeq: number | undefined;
}

const EYES: Readonly<Record<WatchedEncoding, () => Eye>> = { h264: h264Eye, jpeg: jpegEye, tiles: tilesEye };

/** The result of looking at a picture at the place of the pending tap. */
interface Shown extends TapFigures {
  readonly inputSeq: number;
  readonly marked: boolean;
}

/** Uses the control socket as a program does: taps, decodes every picture, and acknowledges it. */
export class SocketSubject implements Subject {
  readonly #socket: WebSocket;
  readonly #eye: Eye;
  #bytes = 0;
  #open: NumberedTap | undefined;
  /** Pictures since the pending tap was sent: the one that shows it may arrive before the tap's number is known. */
  #shown: Shown[] = [];
  #requests = 0;
  #onFirst: () => void = () => undefined;

  private constructor(socket: WebSocket, eye: Eye) {
    this.#socket = socket;
    this.#eye = eye;
    socket.on('message', (data: Buffer) => this.#received(data));
    const gone = () => this.#open?.failed(new Error('the control socket was closed'));
    socket.on('close', gone).on('error', gone);
  }

  static async open({ control, key }: PhotonSession, encoding: WatchedEncoding): Promise<SocketSubject> {
    const headers = { authorization: `Bearer ${key}` };
    const socket = new WebSocket(control, CONTROL_SUBPROTOCOL, { headers, perMessageDeflate: false });
    const subject = new SocketSubject(socket, EYES[encoding]());
    const first = new Promise<void>((resolve) => {
      subject.#onFirst = resolve;
    });
    socket.on('open', () => subject.#send({ type: 'screen.start', encodings: [encoding] }));
    await inTime(first, 'the first picture');
    return subject;
  }

  get bytes(): number {
    return this.#bytes;
  }

  tap(n: number): Promise<TapFigures> {
    const place = placeOf(n);
    const requestId = `photon-${process.pid}-${this.#requests++}-${Math.random().toString(36).slice(2)}`;
    const seen = new Promise<TapFigures>((resolve, reject) => {
      this.#shown = [];
      const message = encodeClientMessage({ type: 'interaction', requestId, action: 'tap', ...place });
      this.#open = { requestId, place, sentMs: performance.now(), inputSeq: undefined, seen: resolve, failed: reject };
      this.#socket.send(message);
    });
    return inTime(seen, 'a tap’s picture');
  }

  async close(): Promise<void> {
    this.#socket.removeAllListeners('close');
    this.#socket.terminate();
    this.#eye.close();
  }

  #send(message: Parameters<typeof encodeClientMessage>[0]): void {
    this.#socket.send(encodeClientMessage(message));
  }

  #received(data: Buffer): void {
    const arrivedMs = performance.now();
    const wallUs = Date.now() * 1_000;
    const header = readScreenHeader(data);
    if (!header) {
      const read = decodeServerMessage(data);
      if (read.kind === 'message') this.#told(read.message);
      return;
    }
    this.#bytes += data.length;
    try {
      const picture = this.#eye.see(data.subarray(SCREEN_HEADER_BYTES));
      this.#send({ type: 'screen.ack', streamId: header.streamId, seq: header.seq });
      this.#onFirst();
      const tap = this.#open;
      if (!tap) return;
      this.#shown.push({
        inputSeq: header.inputSeq,
        marked: hasMark(picture, tap.place),
        photonMs: arrivedMs - tap.sentMs,
        pixelsMs: performance.now() - tap.sentMs,
        // The wall clock counts whole milliseconds, so it is behind by half a millisecond on average.
        captureMs: Math.max(0, (wallUs - header.capturedAtUs) / 1_000 + 0.5),
        pictureBytes: data.length,
      });
      this.#settle(tap);
    } catch (error) {
      this.#open?.failed(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #told(message: ServerMessage): void {
    const tap = this.#open;
    if (!tap || !('requestId' in message) || message.requestId !== tap.requestId) return;
    if (message.type === 'dispatched') {
      tap.inputSeq = message.inputSeq;
      this.#settle(tap);
    } else if (message.type === 'result' && !message.ok) {
      tap.failed(new Error(`a tap failed: ${message.error?.message}`));
    }
  }

  /** Requires that the first picture whose input number covers the tap shows it. */
  #settle(tap: NumberedTap): void {
    const { inputSeq } = tap;
    if (inputSeq === undefined) return;
    const covering = this.#shown.find((shown) => shown.inputSeq >= inputSeq);
    if (!covering) return;
    this.#open = undefined;
    const sentMs = performance.timeOrigin + tap.sentMs;
    const way = { inputSeq, sentMs, arrivedMs: sentMs + covering.photonMs };
    if (covering.marked) tap.seen({ ...covering, way });
    else tap.failed(new Error('a picture says that it shows a tap, and does not'));
  }
}
