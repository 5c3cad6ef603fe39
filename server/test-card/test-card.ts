import { CARD_MODIFIERS, keyHash, type Readings, textHash } from './readings.ts';

export interface CardPoint {
  readonly x: number;
  readonly y: number;
}

/** A pixel that a finger touched, 0 being the first one. */
export interface CardMark extends CardPoint {
  readonly finger: number;
}

export interface CardOptions {
  readonly nonce: number;
  readonly visits: number;
  readonly grain: number;
  /** Pixels that a resting finger may move. */
  readonly slop: number;
}

const LONG_MS = 500;
/** Between the ends of both taps of a double tap. */
const DOUBLE_MS = 600;
const MARKS_MAX = 2_000;
/** UTF-16 units: the longest text that can be inserted. */
const TEXT_MAX = 20_000;

type Counted = 'taps' | 'doubleTaps' | 'longPresses' | 'swipes' | 'pairs' | 'cancels' | 'keys';

/** What a card has received, as plain data. */
export interface CardState {
  counts: Record<Counted, number>;
  marks: CardMark[];
  lastKey: number;
  modifiers: number;
  text: string;
}

interface Track {
  readonly from: CardPoint;
  reach: number;
}

/** The model of a test card: takes touches, keys and text, and says what came. */
export class TestCard {
  readonly #options: CardOptions;
  readonly #counts = { taps: 0, doubleTaps: 0, longPresses: 0, swipes: 0, pairs: 0, cancels: 0, keys: 0 };
  #marks: CardMark[] = [];
  #tracks: Track[] | undefined;
  #beganAtMs = 0;
  #fingersDown = 0;
  #lastTapMs = Number.NEGATIVE_INFINITY;
  #lastKey = 0;
  #modifiers = 0;
  #text = '';

  constructor(options: CardOptions) {
    this.#options = options;
  }

  /** The pixels of the gesture in progress, or else of the last one. */
  get marks(): readonly CardMark[] {
    return this.#marks;
  }

  /** The card has another size now, and what was touched lies elsewhere. */
  forgetMarks(): void {
    this.#marks = [];
  }

  /** @param points of all fingers that are down, or were until now; pixels of the card */
  touch(phase: 'begin' | 'move' | 'end' | 'cancel', points: readonly CardPoint[], atMs: number): void {
    if (this.#tracks === undefined) {
      if (phase !== 'begin') return;
      this.#tracks = [];
      this.#marks = [];
      this.#beganAtMs = atMs;
    }
    const tracks = this.#tracks;
    for (const [finger, { x, y }] of points.entries()) {
      const track = tracks[finger];
      if (track) track.reach = Math.max(track.reach, Math.hypot(x - track.from.x, y - track.from.y));
      else tracks[finger] = { from: { x, y }, reach: 0 };
      if (this.#marks.length < MARKS_MAX) this.#marks.push({ finger, x, y });
    }
    this.#fingersDown = points.length;
    if (phase === 'cancel') this.#counts.cancels++;
    if (phase === 'end') this.#judge(tracks, atMs);
    if (phase === 'end' || phase === 'cancel') {
      this.#tracks = undefined;
      this.#fingersDown = 0;
    }
  }

  #judge(tracks: readonly Track[], atMs: number): void {
    const reach = Math.max(...tracks.map((track) => track.reach));
    if (tracks.length > 1) this.#counts.pairs++;
    else if (reach > this.#options.slop) this.#counts.swipes++;
    else if (atMs - this.#beganAtMs >= LONG_MS) this.#counts.longPresses++;
    else {
      this.#counts.taps++;
      const isSecond = atMs - this.#lastTapMs <= DOUBLE_MS;
      if (isSecond) this.#counts.doubleTaps++;
      this.#lastTapMs = isSecond ? Number.NEGATIVE_INFINITY : atMs;
    }
  }

  key(name: string, modifiers: readonly string[]): void {
    this.#counts.keys++;
    this.#lastKey = keyHash(name);
    this.#modifiers = CARD_MODIFIERS.reduce(
      (bits, name, index) => bits | (Number(modifiers.includes(name)) << index),
      0,
    );
  }

  type(text: string): void {
    this.#text = (this.#text + text).slice(-TEXT_MAX);
  }

  save(): CardState {
    const marks = this.#marks.map((mark) => ({ ...mark }));
    const [lastKey, modifiers, text] = [this.#lastKey, this.#modifiers, this.#text];
    return { counts: { ...this.#counts }, marks, lastKey, modifiers, text };
  }

  /** Goes on from what another card has received. */
  restore({ counts, marks, lastKey, modifiers, text }: CardState): void {
    Object.assign(this.#counts, counts);
    this.#marks = [...marks];
    this.#lastKey = lastKey;
    this.#modifiers = modifiers;
    this.#text = text;
  }

  get readings(): Readings {
    const { nonce, visits, grain } = this.#options;
    return {
      nonce,
      visits: Math.min(255, visits),
      grain,
      ...this.#counts,
      fingersDown: this.#fingersDown,
      lastKey: this.#lastKey,
      modifiers: this.#modifiers,
      textLength: this.#text.length,
      textHash: textHash(this.#text),
    };
  }
}
