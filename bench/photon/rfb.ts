import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { BufferedReader } from './buffered-reader.ts';
import type { Seen } from './eyes.ts';

/**
 * A minimal viewer of the remote framebuffer protocol (RFC 6143): without authentication, with raw rectangles. It requests
 * the next update as soon as one begins to arrive.
 */

const VERSION = 'RFB 003.008\n';
const SECURITY_NONE = 1;
const SHARED = 1;
/** Client messages (section 7.5). */
const SET_PIXEL_FORMAT = 0;
const SET_ENCODINGS = 2;
const UPDATE_REQUEST = 3;
const POINTER_EVENT = 5;
const RAW = 0;
const LEFT_BUTTON = 1;
/** Server messages (section 7.6). */
const UPDATE = 0;
const COLOUR_MAP = 1;
const BELL = 2;
const CUT_TEXT = 3;
/** Section 7.4: 32 bits, depth 24, little-endian, true colour; red first in memory, as `Seen` requires it. */
const RGBX = Buffer.from([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 0, 8, 16, 0, 0, 0]);
const BYTES_PER_PIXEL = 4;

/** Gets the whole picture, and of each update its bytes and when the last one arrived, on the clock of `performance.now()`. */
export type Updated = (picture: Seen, bytes: number, arrivedMs: number) => void;

interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

export class Rfb {
  readonly #socket: Socket;
  readonly #reader: BufferedReader;
  readonly #size: { readonly width: number; readonly height: number };
  readonly #pixels: Uint8Array;
  #updated: Updated = () => undefined;
  #bytes = 0;

  private constructor(socket: Socket, reader: BufferedReader, width: number, height: number) {
    this.#socket = socket;
    this.#reader = reader;
    this.#size = { width, height };
    this.#pixels = new Uint8Array(width * height * BYTES_PER_PIXEL);
  }

  /** Opens the session and requests the first picture. Throws if the server requires an unsupported feature. */
  static async connect(port: number): Promise<Rfb> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await once(socket, 'connect');
    const reader = new BufferedReader(socket);
    await reader.take(VERSION.length);
    socket.write(VERSION);
    const [kinds = 0] = await reader.take(1);
    if (!(await reader.take(kinds)).includes(SECURITY_NONE)) throw new Error('the VNC server wants a password');
    socket.write(Uint8Array.of(SECURITY_NONE));
    if ((await reader.take(4)).readUInt32BE() !== 0) throw new Error('the VNC server refused');
    socket.write(Uint8Array.of(SHARED));
    const head = await reader.take(24);
    await reader.take(head.readUInt32BE(20));
    const rfb = new Rfb(socket, reader, head.readUInt16BE(0), head.readUInt16BE(2));
    socket.write(Buffer.concat([Buffer.from([SET_PIXEL_FORMAT, 0, 0, 0]), RGBX]));
    socket.write(Buffer.from([SET_ENCODINGS, 0, 0, 1, 0, 0, 0, RAW]));
    rfb.#askForUpdate(false);
    return rfb;
  }

  /** Bytes of all updates received so far. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): { readonly width: number; readonly height: number } {
    return this.#size;
  }

  /** Reads updates until the connection ends. */
  async watch(updated: Updated): Promise<void> {
    this.#updated = updated;
    for (;;) await this.#message();
  }

  /** Presses and releases the left button, in one write. */
  tap(x: number, y: number): void {
    const events = Buffer.alloc(12);
    for (const [at, mask] of [LEFT_BUTTON, 0].entries()) {
      events.set([POINTER_EVENT, mask], at * 6);
      events.writeUInt16BE(x, at * 6 + 2);
      events.writeUInt16BE(y, at * 6 + 4);
    }
    this.#socket.write(events);
  }

  close(): void {
    this.#socket.destroy();
  }

  async #message(): Promise<void> {
    const [kind] = await this.#reader.take(1);
    if (kind === UPDATE) return this.#update();
    if (kind === COLOUR_MAP) await this.#reader.take((await this.#reader.take(5)).readUInt16BE(3) * 6);
    else if (kind === CUT_TEXT) await this.#reader.take((await this.#reader.take(7)).readUInt32BE(3));
    else if (kind !== BELL) throw new Error(`the VNC server sent a message of kind ${kind}`);
  }

  async #update(): Promise<void> {
    const rectangles = (await this.#reader.take(3)).readUInt16BE(1);
    this.#askForUpdate(true);
    let bytes = 4;
    const parts: Part[] = [];
    for (let count = 0; count < rectangles; count++) {
      const head = await this.#reader.take(12);
      const [x, y, width, height] = [0, 2, 4, 6].map((at) => head.readUInt16BE(at)) as [number, number, number, number];
      if (head.readInt32BE(8) !== RAW) throw new Error('the VNC server sent another encoding than asked for');
      const pixels = await this.#reader.take(width * height * BYTES_PER_PIXEL);
      bytes += head.length + pixels.length;
      parts.push({ x, y, width, height, pixels });
    }
    const arrivedMs = performance.now();
    for (const { x, y, width, height, pixels } of parts) {
      const rowBytes = width * BYTES_PER_PIXEL;
      for (let row = 0; row < height; row++) {
        const line = pixels.subarray(row * rowBytes, (row + 1) * rowBytes);
        this.#pixels.set(line, ((y + row) * this.#size.width + x) * BYTES_PER_PIXEL);
      }
    }
    this.#bytes += bytes;
    this.#updated({ pixels: this.#pixels, ...this.#size }, bytes, arrivedMs);
  }

  #askForUpdate(incremental: boolean): void {
    const request = Buffer.alloc(10);
    request.set([UPDATE_REQUEST, incremental ? 1 : 0]);
    request.writeUInt16BE(this.#size.width, 6);
    request.writeUInt16BE(this.#size.height, 8);
    this.#socket.write(request);
  }
}
