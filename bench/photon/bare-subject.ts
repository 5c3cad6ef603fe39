import WebSocket from 'ws';
import { type BareEncoding, WHOLE } from '../controls/bare-screen-messages.ts';
import { type Eye, h264Eye, hasMark, jpegEye, tilesEye } from './eyes.ts';
import type { OpenTap, Subject, TapFigures } from './job.ts';
import { placeOf } from './places.ts';
import { inTime } from './tap-loop.ts';

const EYES: Readonly<Record<BareEncoding, () => Eye>> = { tiles: tilesEye, jpeg: jpegEye, h264: h264Eye };

/** Taps and watches the bare screen. */
export class BareSubject implements Subject {
  readonly #socket: WebSocket;
  readonly #eye: Eye;
  #size = { width: 0, height: 0 };
  #bytes = 0;
  #open: OpenTap | undefined;
  #onFirst: () => void = () => undefined;

  private constructor(socket: WebSocket, eye: Eye) {
    this.#socket = socket;
    this.#eye = eye;
    socket.on('message', (data: Buffer) => this.#received(data));
    const gone = () => this.#open?.failed(new Error('the socket of the bare screen was closed'));
    socket.on('close', gone).on('error', gone);
  }

  static async open(url: string, encoding: BareEncoding): Promise<BareSubject> {
    const eye = EYES[encoding]();
    const subject = new BareSubject(new WebSocket(url, { perMessageDeflate: false }), eye);
    const first = new Promise<void>((resolve) => {
      subject.#onFirst = resolve;
    });
    subject.#socket.on('open', () => subject.#send(WHOLE, 0));
    await inTime(first, 'the first picture of the bare screen');
    return subject;
  }

  get bytes(): number {
    return this.#bytes;
  }

  tap(n: number): Promise<TapFigures> {
    const place = placeOf(n);
    const { width, height } = this.#size;
    const seen = new Promise<TapFigures>((resolve, failed) => {
      this.#open = { place, sentMs: performance.now(), seen: resolve, failed };
      this.#send(Math.floor(place.x * width), Math.floor(place.y * height));
    });
    return inTime(seen, 'a tap’s picture of the bare screen');
  }

  async close(): Promise<void> {
    this.#socket.removeAllListeners('close');
    this.#socket.terminate();
    this.#eye.close();
  }

  #send(x: number, y: number): void {
    this.#socket.send(new Uint8Array(Uint16Array.of(x, y).buffer));
  }

  #received(data: Buffer): void {
    const arrivedMs = performance.now();
    this.#bytes += data.length;
    const picture = this.#eye.see(data);
    const tap = this.#open;
    if (!tap) {
      this.#size = { width: picture.width, height: picture.height };
      return this.#onFirst();
    }
    this.#open = undefined;
    const { sentMs, place } = tap;
    if (!hasMark(picture, place)) return tap.failed(new Error('a picture of the bare screen does not show the tap'));
    tap.seen({
      photonMs: arrivedMs - sentMs,
      pixelsMs: performance.now() - sentMs,
      pictureBytes: data.length,
    });
  }
}
