import { connect, type Socket } from 'node:net';
import { crc32 } from 'node:zlib';
import { encodeClientMessage, readScreenHeader } from '@runcloud/protocol';
import { ackFrame, clientFrame } from '../../bench/viewers/ack.ts';
import { FrameReader } from '../../bench/viewers/frame-reader.ts';
import { UPGRADE_HEADERS } from './frames.ts';
import { requestText } from './wire.ts';

const HEADER_BYTES = 32;
const HEAD_END = Buffer.from('\r\n\r\n');
/** Small, so that a window opens and closes within a picture. */
const READ_BYTES = 16_384;
/** How often packets are acknowledged that were not read. */
const HASTE_MS = 24;
/** How far ahead of what was read: more than the kernel holds. A number that the server has not sent yet is ignored by it. */
const AHEAD = 128;

export interface HastyOptions {
  readonly url: string;
  readonly path: string;
  readonly authorization: string;
  readonly start: Readonly<Record<string, unknown>>;
  /** Acknowledges packets before they are read: the server then fills the kernel's buffers, and its own. */
  readonly hasty: boolean;
}

/** A viewer on a bare socket that checks every byte of what it is sent, and whose reading can be stopped at any byte. */
export class HastyViewer {
  /** Checksum of each picture's payload by the time of its capture. */
  readonly pictures = new Map<number, number>();
  bytes = 0;
  /** Faults of the stream. */
  readonly faults: string[] = [];
  readonly #socket: Socket;
  readonly #frames: FrameReader;
  readonly #timer: NodeJS.Timeout | undefined;
  #answered = false;
  #started = false;
  #reading = true;
  #seq = 0;
  #crc = 0;
  #wakeUp: () => void = () => undefined;

  constructor({ url, path, authorization, start, hasty }: HastyOptions) {
    this.#frames = new FrameReader({
      frame: (opcode, head, bytes) => this.#frame(opcode, head, bytes, start, hasty),
      part: (bytes, at) => {
        const from = Math.max(0, HEADER_BYTES - at);
        if (from < bytes.length) this.#crc = crc32(bytes.subarray(from), this.#crc);
      },
    });
    const { hostname, port } = new URL(url);
    const buffer = Buffer.alloc(READ_BYTES);
    const callback = (bytes: number) => this.#received(buffer.subarray(0, bytes));
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true, onread: { buffer, callback } });
    this.#socket.on('error', (error) => this.faults.push(String(error)));
    this.#socket.write(requestText(`GET ${path}`, { ...UPGRADE_HEADERS, Authorization: authorization }));
    if (hasty) this.#timer = setInterval(() => this.#acknowledgeAhead(), HASTE_MS);
  }

  get count(): number {
    return this.pictures.size;
  }

  /** Resolves when so many pictures have come. */
  async until(count: number): Promise<void> {
    while (this.count < count && this.faults.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wakeUp = resolve;
      });
    }
  }

  pause(): void {
    this.#reading = false;
  }

  resume(): void {
    this.#reading = true;
    this.#socket.resume();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#socket.destroy();
    this.#wakeUp();
  }

  #received(bytes: Buffer): boolean {
    try {
      this.#frames.push(this.#answered ? bytes : this.#behindAnswer(bytes));
    } catch (error) {
      this.#fault(String(error));
    }
    return this.#reading;
  }

  #behindAnswer(bytes: Buffer): Buffer {
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) throw new Error(`no upgrade: ${bytes.toString('latin1', 0, 100)}`);
    this.#answered = true;
    return bytes.subarray(end + HEAD_END.length);
  }

  #frame(opcode: number, head: Buffer, bytes: number, start: HastyOptions['start'], hasty: boolean): void {
    const crc = this.#crc;
    this.#crc = 0;
    if (opcode !== 2) return;
    const header = readScreenHeader(Buffer.concat([head, Buffer.alloc(1)]));
    if (!header) {
      if (!this.#started) this.#socket.write(clientFrame(encodeClientMessage({ ...start, type: 'screen.start' })));
      this.#started = true;
      return;
    }
    if (header.seq !== this.#seq + 1) this.#fault(`packet ${header.seq} came after ${this.#seq}`);
    this.#seq = header.seq;
    this.bytes += bytes;
    this.pictures.set(header.capturedAtUs, crc);
    if (!hasty) this.#socket.write(ackFrame(header.streamId, header.seq));
    this.#wakeUp();
  }

  #acknowledgeAhead(): void {
    if (this.#seq === 0) return;
    const frames = Array.from({ length: AHEAD }, (_, ahead) => ackFrame(1, this.#seq + ahead));
    this.#socket.write(Buffer.concat(frames));
  }

  #fault(what: string): void {
    if (this.faults.length < 10) this.faults.push(what);
    this.#wakeUp();
  }
}
