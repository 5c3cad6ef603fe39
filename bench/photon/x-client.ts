import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { BufferedReader } from './buffered-reader.ts';

/**
 * The part of the X Window System Protocol (version 11) that is needed to show where a window was pressed: one window over
 * the whole screen, filled shapes, lines of text, and button events. Little-endian.
 */

const CREATE_WINDOW = 1;
const MAP_WINDOW = 8;
const OPEN_FONT = 45;
const CREATE_GC = 55;
const FILL_RECTANGLES = 70;
const FILL_ARCS = 71;
const IMAGE_TEXT_8 = 76;
const ERROR = 0;
const BUTTON_PRESS = 4;
const EXPOSE = 12;
const INPUT_OUTPUT = 1;
const BACKGROUND_OVERRIDE_EVENTS = 0x0002 | 0x0200 | 0x0800;
const FOREGROUND = 0x0004;
const FOREGROUND_BACKGROUND_FONT = 0x0004 | 0x0008 | 0x4000;
/** Every X server has it. */
const FONT = 'fixed';
const FONT_ID = 0xffff;
const PRESSES_AND_EXPOSURES = 0x0004 | 0x8000;
/** In 1/64 of a degree. */
const WHOLE_TURN = 360 * 64;
const EVENT_BYTES = 32;

export interface XEvents {
  exposed(): void;
  pressed(x: number, y: number): void;
}

/** One window that covers the screen of a display. */
export class XWindow {
  readonly #socket: Socket;
  readonly #reader: BufferedReader;
  readonly #firstId: number;
  readonly #root: number;
  readonly width: number;
  readonly height: number;

  private constructor(socket: Socket, reader: BufferedReader, setup: Buffer) {
    this.#socket = socket;
    this.#reader = reader;
    this.#firstId = setup.readUInt32LE(4);
    // After the fixed part come the vendor's padded name and the formats, then the first screen.
    const screenAt = 32 + Math.ceil(setup.readUInt16LE(16) / 4) * 4 + setup.readUInt8(21) * 8;
    this.#root = setup.readUInt32LE(screenAt);
    this.width = setup.readUInt16LE(screenAt + 20);
    this.height = setup.readUInt16LE(screenAt + 22);
  }

  /** Opens the window on a local display that asks for no authorization. */
  static async open(display: number, background: number): Promise<XWindow> {
    const socket = connect(`/tmp/.X11-unix/X${display}`);
    await once(socket, 'connect');
    const reader = new BufferedReader(socket);
    socket.write(Buffer.from(['l'.charCodeAt(0), 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    const head = await reader.take(8);
    const setup = await reader.take(head.readUInt16LE(6) * 4);
    if (head[0] !== 1) throw new Error(`the X server refused: ${setup.toString('latin1')}`);
    const window = new XWindow(socket, reader, setup);
    window.#create(background);
    return window;
  }

  get #id(): number {
    return this.#firstId;
  }

  /** Creates a graphics context of one colour, `0xRRGGBB`. */
  pen(number: number, colour: number): number {
    const id = this.#firstId + 1 + number;
    this.#request(CREATE_GC, 0, [id, this.#id, FOREGROUND, colour]);
    return id;
  }

  /** Creates a graphics context for text of one colour on another. */
  textPen(number: number, colour: number, background: number): number {
    const id = this.#firstId + 1 + number;
    const font = this.#firstId + FONT_ID;
    this.#request(OPEN_FONT, 0, [font, FONT.length, ...words(FONT)]);
    this.#request(CREATE_GC, 0, [id, this.#id, FOREGROUND_BACKGROUND_FONT, colour, background, font]);
    return id;
  }

  /** Draws a line of Latin text whose base line begins at (x, y). */
  drawText(pen: number, x: number, y: number, text: string): void {
    this.#request(IMAGE_TEXT_8, text.length, [this.#id, pen, pair(x, y), ...words(text)]);
  }

  /** What is drawn meanwhile leaves in one write. */
  together(draw: () => void): void {
    this.#socket.cork();
    draw();
    this.#socket.uncork();
  }

  fillRectangle(pen: number, x: number, y: number, width: number, height: number): void {
    this.#request(FILL_RECTANGLES, 0, [this.#id, pen, pair(x, y), pair(width, height)]);
  }

  fillCircle(pen: number, x: number, y: number, radius: number): void {
    const [corner, size] = [pair(x - radius, y - radius), pair(2 * radius, 2 * radius)];
    this.#request(FILL_ARCS, 0, [this.#id, pen, corner, size, pair(0, WHOLE_TURN)]);
  }

  /** Reads events until the connection ends, then rejects. */
  async watch(events: XEvents): Promise<never> {
    for (;;) {
      const event = await this.#reader.take(EVENT_BYTES);
      // The highest bit says whether another client sent the event.
      const kind = event.readUInt8(0) & 0x7f;
      if (kind === ERROR) throw new Error(`the X server answered with error ${event[1]} to request ${event[10]}`);
      if (kind === EXPOSE) events.exposed();
      if (kind === BUTTON_PRESS) events.pressed(event.readInt16LE(24), event.readInt16LE(26));
    }
  }

  #create(background: number): void {
    const place = [pair(0, 0), pair(this.width, this.height), pair(0, INPUT_OUTPUT)];
    const values = [background, 1, PRESSES_AND_EXPOSURES];
    this.#request(CREATE_WINDOW, 0, [this.#id, this.#root, ...place, 0, BACKGROUND_OVERRIDE_EVENTS, ...values]);
    this.#request(MAP_WINDOW, 0, [this.#id]);
  }

  #request(opcode: number, data: number, words: readonly number[]): void {
    const request = Buffer.alloc(4 + words.length * 4);
    request.set([opcode, data]);
    request.writeUInt16LE(1 + words.length, 2);
    for (const [at, word] of words.entries()) request.writeUInt32LE(word >>> 0, 4 + at * 4);
    this.#socket.write(request);
  }
}

/** Two 16-bit values in one word, the first in its lower half. */
const pair = (first: number, second: number): number => (((second & 0xffff) << 16) | (first & 0xffff)) >>> 0;

/** Latin text as words of four characters, padded. */
function words(text: string): number[] {
  const bytes = Buffer.alloc(Math.ceil(text.length / 4) * 4);
  bytes.write(text, 'latin1');
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(index * 4));
}
