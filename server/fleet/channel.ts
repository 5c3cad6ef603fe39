import { LOST_CODE } from '@runcloud/protocol/terms';
import { decodeCount, encodeCount, encodeFrame, encodeHead, FRAME, type Frame, type FrameType } from './frames.ts';
import type { ClosedHead } from './messages.ts';

/** Bytes that may be under way in one direction of a channel, as in the buffers of a TCP connection. */
export const WINDOW_BYTES = 262_144;
/** So many bytes are taken before the sender is told. */
const TELL_BYTES = WINDOW_BYTES / 8;
/** More than the head of any request or answer: all of its headers are bounded by the socket library. */
const HEAD_BYTES_MAX = 65_536;

export interface ChannelEvents {
  /** A frame of another type than those of data. */
  told(type: FrameType, payload: Uint8Array): void;
  /** A whole message or piece; its bytes are valid only until it returns. */
  data(bytes: Uint8Array): void;
  /** Bytes under way have been taken. */
  taken(): void;
  /** Nothing more will come. @param why in a few words, for the log */
  lost(why: string): void;
}

/** Why a channel ends of which a frame was lost, and one that the other end does not know. */
export const GAP = 'a frame was lost';
const UNKNOWN = 'the channel has ended';

export interface ChannelWire {
  /** The edge that has opened the channel. */
  readonly edge: string;
  publish(frame: Uint8Array): void;
  readonly payloadBytesMax: number;
}

/** What both ends call a channel in their logs. */
export const channelName = (edge: string, id: number): string => `${edge}.${id}`;

/** Tells the other end of a channel that is unknown here that it has ended. */
export function endedFrame(channel: number): Buffer {
  const closed: ClosedHead = { code: LOST_CODE, reason: UNKNOWN };
  return encodeFrame(FRAME.closed, channel, 0, ...encodeHead(closed));
}

/** One end of a channel: numbers its frames, finds lost ones, joins parts, and counts what is under way. */
export class Channel {
  readonly id: number;
  readonly #wire: ChannelWire;
  readonly #events: ChannelEvents;
  #sent = 0;
  #received = 0;
  #underWayBytes = 0;
  #untoldBytes = 0;
  #parts: Buffer[] = [];
  #wake: () => void = () => undefined;
  #isOpen = true;

  constructor(id: number, wire: ChannelWire, events: ChannelEvents) {
    this.id = id;
    this.#wire = wire;
    this.#events = events;
  }

  get name(): string {
    return channelName(this.#wire.edge, this.id);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Bytes that were sent and not taken yet. */
  get underWayBytes(): number {
    return this.#underWayBytes;
  }

  /** The other end's frame with this number has come already. */
  expectAfter(number: number): void {
    this.#received = number + 1;
  }

  /** Whether a head and these bytes can be sent as one frame. */
  fitsOnePayload(bytes: Uint8Array): boolean {
    return bytes.byteLength <= this.#wire.payloadBytesMax - HEAD_BYTES_MAX;
  }

  send(type: FrameType, ...payload: Uint8Array[]): void {
    if (this.#isOpen) this.#wire.publish(encodeFrame(type, this.id, this.#sent++, ...payload));
  }

  sendHead(type: FrameType, head: object, body?: Uint8Array): void {
    this.send(type, ...encodeHead(head, body));
  }

  sendData(bytes: Uint8Array): void {
    this.#underWayBytes += bytes.byteLength;
    const { payloadBytesMax } = this.#wire;
    let from = 0;
    for (; bytes.byteLength - from > payloadBytesMax; from += payloadBytesMax) {
      this.send(FRAME.part, bytes.subarray(from, from + payloadBytesMax));
    }
    this.send(FRAME.data, bytes.subarray(from));
  }

  /** Data that the other end makes a message of so many bytes. */
  sendShaped(type: FrameType, bytes: number, ...payload: Uint8Array[]): void {
    this.#underWayBytes += bytes;
    this.send(type, ...payload);
  }

  /** Resolves when there is room for more data, and when the channel ends. */
  async room(): Promise<void> {
    while (this.#isOpen && this.#underWayBytes >= WINDOW_BYTES) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Data of the other end was taken. @param tellNow as nothing more may come before it is told */
  took(bytes: number, tellNow = false): void {
    this.#untoldBytes += bytes;
    if (this.#untoldBytes === 0 || (!tellNow && this.#untoldBytes < TELL_BYTES)) return;
    this.send(FRAME.taken, encodeCount(this.#untoldBytes));
    this.#untoldBytes = 0;
  }

  /** Tells the other end that the client has gone, or the process is not to go on with it. */
  sendGone(reason: string): void {
    this.sendHead(FRAME.closed, { code: LOST_CODE, reason } satisfies ClosedHead);
  }

  receive({ type, number, payload }: Frame): void {
    if (!this.#isOpen) return;
    if (number !== this.#received++) return this.#events.lost(type === FRAME.closed && number === 0 ? UNKNOWN : GAP);
    if (type === FRAME.part) {
      this.#parts.push(Buffer.from(payload));
    } else if (type === FRAME.data) {
      const parts = this.#parts;
      this.#parts = [];
      this.#events.data(parts.length === 0 ? payload : Buffer.concat([...parts, payload]));
    } else if (type === FRAME.taken) {
      this.#underWayBytes = Math.max(0, this.#underWayBytes - decodeCount(payload));
      this.#wake();
      this.#events.taken();
    } else {
      this.#events.told(type, payload);
    }
  }

  /** Sends and receives nothing any more. */
  end(): void {
    this.#isOpen = false;
    this.#parts = [];
    this.#wake();
  }
}
