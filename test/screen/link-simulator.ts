import type { ScreenEncoding } from '@runcloud/protocol';
import type { StreamPicture } from '../../server/link/messages.ts';
import { ViewerSlot } from '../../server/screen/viewer-slot.ts';
import { picture } from './pictures.ts';

export interface Link {
  /** Megabits a second at a time; 0 while it stands still. */
  readonly mbits: (ms: number) => number;
  readonly oneWayMs: number;
  /** How much later than the link would bring it an acknowledgement is heard of at this time; none by default. */
  readonly heardLateMs?: (ms: number) => number;
}

export interface Source {
  readonly encoding: ScreenEncoding;
  readonly fps: number;
  /** Bytes of the picture that is captured at this time. */
  readonly bytes: (ms: number, key: boolean) => number;
  /** It keeps to what the viewer's link takes, as a device does whose only viewer this is. */
  readonly keepsToLink?: boolean;
  /** Nothing is captured from then on: the screen stands still. */
  readonly untilMs?: number;
}

/** A packet that has reached the viewer. */
export interface Arrival {
  readonly seq: number;
  readonly index: number;
  readonly key: boolean;
  readonly bytes: number;
  readonly capturedMs: number;
  readonly sentMs: number;
  readonly arrivedMs: number;
}

export interface Run {
  readonly arrivals: readonly Arrival[];
  readonly keysAsked: number;
  readonly captured: number;
}

const STEP_MS = 0.5;
/** A key picture comes as soon as the encoder can. */
const KEY_MS = 5;

/** Runs one viewer behind one link, in steps of half a millisecond: a queue without end, bytes that take their time. */
export function simulate(link: Link, source: Source, lengthMs: number): Run {
  const slot = new ViewerSlot<StreamPicture>();
  const arrivals: Arrival[] = [];
  const queue: { readonly arrival: Omit<Arrival, 'arrivedMs'>; left: number }[] = [];
  const onTheWay: Arrival[] = [];
  const acks: { readonly seq: number; readonly atMs: number }[] = [];
  const indexes = new Map<StreamPicture, { readonly index: number; readonly capturedMs: number }>();
  let captured = 0;
  let nextCaptureMs = 0;
  let keyDueMs = Number.POSITIVE_INFINITY;
  let keysAsked = 0;
  let retryMs = 0;

  const capture = (nowMs: number, key: boolean) => {
    const isKey = key || captured === 0 || source.encoding !== 'h264';
    const bytes = Math.round(source.bytes(nowMs, isKey));
    const made = picture({ encoding: source.encoding, key: isKey, bytes });
    const bound = source.keepsToLink ? slot.rateBound(nowMs) : undefined;
    if (bound !== undefined) nextCaptureMs = Math.max(nextCaptureMs, nowMs + Math.min(1_000, bytes / bound));
    indexes.set(made, { index: captured++, capturedMs: nowMs });
    slot.offer(made);
    retryMs = 0;
  };
  const serve = (nowMs: number) => {
    for (;;) {
      const turn = slot.nextAction(nowMs, 0);
      if (turn.kind === 'needsKey') {
        if (keyDueMs === Number.POSITIVE_INFINITY && captured > 0) {
          keyDueMs = nowMs + KEY_MS;
          keysAsked++;
        }
        retryMs = Number.POSITIVE_INFINITY;
        return;
      }
      if (turn.kind === 'wait') {
        retryMs = nowMs + turn.ms;
        return;
      }
      const { seq } = slot.numbers;
      const { key, payload } = turn.picture;
      const bytes = payload.byteLength + 32;
      const known = indexes.get(turn.picture);
      slot.sent(bytes, nowMs);
      if (known) queue.push({ arrival: { seq, key, bytes, sentMs: nowMs, ...known }, left: bytes });
    }
  };

  for (let nowMs = 0; nowMs < lengthMs; nowMs += STEP_MS) {
    for (let [ack] = acks; ack && ack.atMs <= nowMs; [ack] = acks) {
      slot.acknowledged(ack.seq, nowMs);
      acks.shift();
      retryMs = 0;
    }
    if (nowMs >= nextCaptureMs && nowMs < (source.untilMs ?? lengthMs)) {
      nextCaptureMs += 1_000 / source.fps;
      capture(nowMs, nowMs >= keyDueMs);
      if (nowMs >= keyDueMs) keyDueMs = Number.POSITIVE_INFINITY;
    } else if (nowMs >= keyDueMs && nowMs >= (source.untilMs ?? lengthMs)) {
      // A still screen is encoded again.
      keyDueMs = Number.POSITIVE_INFINITY;
      capture(nowMs, true);
    }
    if (nowMs >= retryMs) serve(nowMs);
    let room = (link.mbits(nowMs) * 1_000 * STEP_MS) / 8;
    for (let [first] = queue; first && room > 0; [first] = queue) {
      const used = Math.min(room, first.left);
      first.left -= used;
      room -= used;
      if (first.left > 0) break;
      queue.shift();
      onTheWay.push({ ...first.arrival, arrivedMs: nowMs + STEP_MS + link.oneWayMs });
    }
    for (let [packet] = onTheWay; packet && packet.arrivedMs <= nowMs; [packet] = onTheWay) {
      onTheWay.shift();
      arrivals.push(packet);
      const atMs = packet.arrivedMs + link.oneWayMs;
      const heardMs = Math.max(acks.at(-1)?.atMs ?? 0, atMs + (link.heardLateMs?.(atMs) ?? 0));
      acks.push({ seq: packet.seq, atMs: heardMs });
    }
  }
  return { arrivals, keysAsked, captured };
}

/** The value that this share of all is not above. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Milliseconds from capture to arrival. */
export const delays = (arrivals: readonly Arrival[]): number[] =>
  arrivals.map(({ capturedMs, arrivedMs }) => arrivedMs - capturedMs);

export const bytesOf = (arrivals: readonly Arrival[]): number => arrivals.reduce((sum, { bytes }) => sum + bytes, 0);

/** The first arrival after a gap: a delta that does not follow its predecessor; `undefined` when all can be decoded. */
export function undecodable(arrivals: readonly Arrival[]): Arrival | undefined {
  return arrivals.find(({ key, index }, place) => !key && arrivals[place - 1]?.index !== index - 1);
}
