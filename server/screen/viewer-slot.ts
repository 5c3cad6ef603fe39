import { hasDeltas } from '@runcloud/protocol/terms';
import type { StreamPicture } from '../link/messages.ts';
import { FlowControl } from './flow-control.ts';

/** The fields of a picture that a slot uses. */
export type SlotPicture = Pick<StreamPicture, 'key' | 'encoding'>;

/** The next thing to do for a viewer. */
export type SlotAction<Item> =
  | { readonly kind: 'send'; readonly picture: Item }
  /** The viewer can take a picture again, but only a key picture. */
  | { readonly kind: 'needsKey' }
  /** Wait for this time; infinite: until an acknowledgement or another picture. */
  | { readonly kind: 'wait'; readonly ms: number };

/** The numbers that a packet carries for one viewer. */
export interface PacketNumbers {
  readonly seq: number;
  readonly leftOut: number;
}

/** Deltas that may be queued for one viewer: they wait for the sender. */
const DELTAS_HELD_MAX = 4;

/** Whether a stream may be bound to what links take. Who watches by another encoding of deltas can go over to this one. */
export const canBeBound = ({ encoding }: Pick<SlotPicture, 'encoding'>): boolean => encoding === 'h264';

/** A viewer that has fallen behind once is held to be one whose link is too slow for so long. */
const SLOW_MS = 30_000;
/** What it is given, of what its link is known to carry: more shows whether it carries more, and less lets a queue drain. */
const RATE_SHARE = { free: 1.15, busy: 0.8 };
/** A link that is busy for longer has a queue. */
const QUEUE_MS = 40;
/**
 * Every so often it is given little for a while, so that whatever queue there is drains: the way without a queue would otherwise be
 * forgotten (`LinkEstimate`), and a queue that always stands be taken for the way.
 */
const DRAIN = { everyMs: 4_000, forMs: 400, share: 0.5 };
/** Deltas of a stream with such a bound that may wait for the viewer's link; of any other stream none may. */
const BOUND_HELD_MAX = 2;

/**
 * Chooses the next packet for one viewer. Of pictures that can be decoded alone, only the newest waits. Deltas are sent
 * without a gap or not at all: a viewer that falls behind gets nothing until it has caught up, then a key picture.
 */
export class ViewerSlot<Item extends SlotPicture> {
  readonly #flow = new FlowControl();
  #waiting: Item[] = [];
  #needsKey = true;
  /** The viewer has fallen behind: nothing is sent until it has acknowledged everything. */
  #behind = false;
  readonly #beforeSeq: number;
  #lastSeq: number;
  #leftOut = 0;
  /** When it fell behind last because its link was too slow. */
  #slowAtMs = Number.NEGATIVE_INFINITY;

  /** @param beforeSeq the `seq` of the stream's last packet on the socket before; 0 for a new stream */
  constructor(beforeSeq = 0) {
    this.#beforeSeq = beforeSeq;
    this.#lastSeq = beforeSeq;
  }

  /** Nothing was sent yet. */
  get fresh(): boolean {
    return this.#lastSeq === this.#beforeSeq;
  }

  /** Nothing to send or request until the next picture. */
  get idle(): boolean {
    return this.#waiting.length === 0 && !this.#needsKey;
  }

  get unacknowledgedBytes(): number {
    return this.#flow.unacknowledgedBytes;
  }

  /** Bytes per millisecond that are not too many for its link; `undefined` when it has kept up for long. */
  rateBound(nowMs: number): number | undefined {
    const { linkRate } = this.#flow;
    if (!this.#isSlow(nowMs) || linkRate === 0) return undefined;
    const sinceMs = nowMs - this.#slowAtMs;
    if (sinceMs % DRAIN.everyMs > DRAIN.everyMs - DRAIN.forMs) return linkRate * DRAIN.share;
    return linkRate * (this.#flow.busyMs(nowMs) > QUEUE_MS ? RATE_SHARE.busy : RATE_SHARE.free);
  }

  /** A new picture of the stream. */
  offer(picture: Item): void {
    if (picture.key) {
      this.#leaveOutWaiting();
      this.#waiting.push(picture);
      this.#needsKey = false;
    } else if (this.#needsKey) {
      this.#leftOut++;
    } else {
      this.#waiting.push(picture);
      if (this.#waiting.length > DELTAS_HELD_MAX) this.#fallBehind();
    }
  }

  nextAction(nowMs: number, bufferedBytes: number): SlotAction<Item> {
    const picture = this.#waiting[0];
    if (this.idle) return NOTHING;
    const delta = picture !== undefined && hasDeltas(picture.encoding) && !this.#behind;
    const ms = this.#flow.waitMs(nowMs, { delta, bufferedBytes });
    if (ms === 0) return picture ? { kind: 'send', picture } : { kind: 'needsKey' };
    // A key picture may wait, as on a still screen; pictures after it would be outdated when they are sent.
    if (picture && this.#waiting.length > this.#heldMax(picture, nowMs)) {
      this.#slowAtMs = nowMs;
      this.#fallBehind();
      return this.nextAction(nowMs, bufferedBytes);
    }
    return { kind: 'wait', ms };
  }

  /** Records that the next picture was sent with the slot's numbers and this size. */
  sent(bytes: number, nowMs: number): void {
    this.#waiting.shift();
    this.#behind = false;
    this.#leftOut = 0;
    this.#flow.sent(++this.#lastSeq, bytes, nowMs);
  }

  /** The numbers of the packet that is sent next. */
  get numbers(): PacketNumbers {
    return { seq: this.#lastSeq + 1, leftOut: this.#leftOut };
  }

  /** The client cannot decode the stream and requests a key picture. */
  requestKey(): void {
    const [picture] = this.#waiting;
    if (!picture?.key) this.#fallBehind();
  }

  acknowledged(seq: number, nowMs: number): void {
    this.#flow.acknowledged(seq, nowMs);
  }

  /** How many pictures may wait for the link, with this one as the first. */
  #heldMax(picture: Item, nowMs: number): number {
    if (picture.key) return 1;
    // A stream that is bound to the link has few: each is soon sent, and to leave one out costs a key picture.
    return canBeBound(picture) && this.#isSlow(nowMs) ? BOUND_HELD_MAX : 0;
  }

  #isSlow(nowMs: number): boolean {
    return nowMs - this.#slowAtMs <= SLOW_MS;
  }

  #fallBehind(): void {
    this.#leaveOutWaiting();
    this.#needsKey = true;
    this.#behind = true;
  }

  #leaveOutWaiting(): void {
    this.#leftOut += this.#waiting.length;
    this.#waiting = [];
  }
}

const NOTHING: SlotAction<never> = { kind: 'wait', ms: Number.POSITIVE_INFINITY };
