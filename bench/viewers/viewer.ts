import { connect, type Socket } from 'node:net';
import { ackFrame, clientFrame, pongFrame } from './ack.ts';
import { FrameReader } from './frame-reader.ts';

/** The address that viewers connect to and the messages that they send there. */
export interface ViewerTarget {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Additional header lines of the upgrade. */
  readonly headers: Readonly<Record<string, string>>;
  /** The message that requests pictures after the server's first message; absent if the server sends them without one. */
  readonly start?: Uint8Array;
  readonly acknowledges: boolean;
}

/** The examined fields of a screen packet (protocol/README.md, section 10). */
export interface SeenPacket {
  readonly seq: number;
  readonly key: boolean;
  readonly bytes: number;
  readonly capturedAtUs: number;
  readonly leftOut: number;
}

export interface ViewerEvents {
  packet(packet: SeenPacket): void;
  /** The server accepted the upgrade. */
  opened(): void;
  failed(error: Error): void;
}

const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const SCREEN_PACKET = 0x01;
/** All viewers of a process read into the same memory, which is processed before the next one reads. */
const RECEIVED = Buffer.alloc(262_144);
const HEAD_END = '\r\n\r\n';
const HEAD_BYTES_MAX = 8_192;

/** A viewer on a plain TCP socket that reads only packet headers and acknowledges the newest packet of each read. */
export class Viewer {
  readonly #target: ViewerTarget;
  readonly #events: ViewerEvents;
  readonly #socket: Socket;
  readonly #frames = new FrameReader({ frame: (opcode, head, bytes) => this.#frame(opcode, head, bytes) });
  #answer: string | undefined = '';
  #greeted = false;
  #streamId = 0;
  #seq = 0;
  #acknowledged = 0;
  /** What the server's close frame said. */
  #why = '';

  constructor(target: ViewerTarget, events: ViewerEvents) {
    this.#target = target;
    this.#events = events;
    const { host, port } = target;
    const onread = { buffer: RECEIVED, callback: (bytes: number) => this.#received(RECEIVED.subarray(0, bytes)) };
    this.#socket = connect({ host, port, noDelay: true, onread });
    this.#socket.on('connect', () => this.#socket.write(upgradeRequest(target)));
    this.#socket.on('error', (error) => events.failed(error));
    this.#socket.on('close', () => events.failed(new Error(`the server closed a viewer’s connection${this.#why}`)));
  }

  close(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }

  #received(bytes: Buffer): boolean {
    try {
      const frames = this.#answer === undefined ? bytes : this.#readAnswer(bytes);
      if (frames) this.#frames.push(frames);
      if (this.#target.acknowledges && this.#seq > this.#acknowledged) {
        this.#acknowledged = this.#seq;
        this.#socket.write(ackFrame(this.#streamId, this.#seq));
      }
    } catch (error) {
      this.#events.failed(error instanceof Error ? error : new Error(String(error)));
    }
    return true;
  }

  /** Reads the answer to the upgrade, which may arrive in pieces; returns the bytes after it. */
  #readAnswer(bytes: Buffer): Buffer | undefined {
    const before = this.#answer ?? '';
    this.#answer = before + bytes.toString('latin1');
    const end = this.#answer.indexOf(HEAD_END);
    if (end < 0 && this.#answer.length < HEAD_BYTES_MAX) return undefined;
    if (!this.#answer.startsWith('HTTP/1.1 101 ')) throw new Error(`no upgrade: ${this.#answer.slice(0, 200)}`);
    this.#answer = undefined;
    this.#events.opened();
    return bytes.subarray(end + HEAD_END.length - before.length);
  }

  #frame(opcode: number, head: Buffer, bytes: number): void {
    if (opcode === PING) return void this.#socket.write(pongFrame(head));
    if (opcode === CLOSE && head.length >= 2) this.#why = `: ${head.readUInt16BE(0)} ${head.subarray(2)}`;
    if (opcode !== BINARY) return;
    if (head[0] === SCREEN_PACKET) return this.#packet(head, bytes);
    if (this.#greeted) return;
    this.#greeted = true;
    if (this.#target.start) this.#socket.write(clientFrame(this.#target.start));
  }

  #packet(head: Buffer, bytes: number): void {
    const seq = head.readUInt32LE(8);
    if (seq !== this.#seq + 1 && this.#seq > 0) throw new Error(`packet ${seq} came after ${this.#seq}`);
    this.#streamId = head.readUInt32LE(4);
    this.#seq = seq;
    const capturedAtUs = head.readUInt32LE(16) + head.readUInt32LE(20) * 2 ** 32;
    this.#events.packet({ seq, key: (head[1] ?? 0) % 2 === 1, bytes, capturedAtUs, leftOut: head.readUInt16LE(28) });
  }
}

/** The request of an upgrade. */
export function upgradeRequest({
  host,
  port,
  path,
  headers,
}: Pick<ViewerTarget, 'host' | 'port' | 'path' | 'headers'>): string {
  const lines = Object.entries({
    Host: `${host}:${port}`,
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
