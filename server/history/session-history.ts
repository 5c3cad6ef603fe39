import type { HistoryOrigin, Observed, Point, PointerPhase, Touched } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import type { Ending } from '../interaction/ending.ts';
import { numbersOfGesture } from '../interaction/fingerprint.ts';
import type { Journal } from '../interaction/journal.ts';
import type { Request } from '../interaction/request.ts';
import {
  ACCEPTED,
  BY,
  DISPATCHED,
  DURATION,
  INPUT_SEQ,
  LIVE,
  NOT_YET,
  type Note,
  OUTCOME,
  PHASES,
  type Piece,
  STATUSES,
  WIDTH,
  X,
  Y,
} from './layout.ts';

const COMPLETED = STATUSES.indexOf('completed');
const CAPACITY_MIN = 16;
const ID_BYTES_MAX = LIMITS.requestIdCharacters.max + 1;
const LINE_FEED = 10;
/** Memory of an entry, and of a note, about. */
const ENTRY_BYTES = 128;
const NOTE_BYTES = 256;
const STEPS_CAPACITY_MIN = 64;
const NONE = sharedNumbers(0);
const NO_IDS = idsOf(0);

/** What is known of the history of a session that goes on in another process than the one before. */
export interface PastHistory {
  /** Higher than that of every entry before. */
  readonly nextSeq: number;
  /** The callers, in the order of their numbers. */
  readonly origins: readonly HistoryOrigin[];
}

/** Where the sessions' news gather until they are posted. */
export interface Postbox {
  /** Bytes that wait to be written, of all sessions. */
  waitingBytes: number;
  readonly waitingBytesMax: number;
  /** The session has news. Told once until they are taken. */
  add(session: SessionHistory): void;
  /** So many requests cannot be kept. */
  lost(count: number): void;
}

/**
 * The news of one session, until they are posted to the thread. An entry that is still here is changed in place; changes of
 * entries that have been posted follow as numbers.
 */
export class SessionHistory implements Journal {
  readonly #sessionId: string;
  readonly #fullTexts: boolean;
  readonly #postbox: Postbox;
  /** The first entry of this process: those before it without an end get none. */
  readonly from: number;
  #first: number;
  #count = 0;
  #numbers = NONE;
  #ids = NO_IDS;
  #idsLength = 0;
  /** Of the last piece: as many may come until the next one. */
  #usualEntries = 0;
  #usualIdsBytes = 0;
  #notes: Note[] = [];
  /** See `Piece.steps`. */
  #stepNumbers = NONE;
  #stepsLength = 0;
  #usualStepsLength = 0;
  #changes: number[] = [];
  readonly #origins = new Map<string, number>();
  #newOrigins: HistoryOrigin[] = [];
  /** The one that was asked for last, and its number. */
  #latestOrigin: HistoryOrigin | undefined;
  #latestNumber = 0;
  /** Steps of live gestures that go on, by entry. */
  readonly #steps = new Map<number, number>();
  /** Requests since the last entry that could not be kept. */
  #lost = 0;
  #isAdded = false;

  /**
   * @param fullTexts whether texts are kept, and not their lengths alone
   * @param past of a session that goes on
   */
  constructor(sessionId: string, fullTexts: boolean, postbox: Postbox, past?: PastHistory) {
    this.#sessionId = sessionId;
    this.#fullTexts = fullTexts;
    this.#postbox = postbox;
    this.from = past?.nextSeq ?? 1;
    this.#first = this.from;
    // They are posted again: the newest may not have been written.
    for (const by of past?.origins ?? []) this.origin(by);
  }

  origin(by: HistoryOrigin): number {
    const latest = this.#latestOrigin;
    // Each call over REST asks, and mostly for the same key.
    if (latest && latest.id === by.id && latest.kind === by.kind && latest.transport === by.transport)
      return this.#latestNumber;
    const name = `${by.transport} ${by.kind} ${by.id ?? ''}`;
    let number = this.#origins.get(name);
    if (number === undefined) {
      this.#newOrigins.push(by);
      number = this.#origins.size + 1;
      this.#origins.set(name, number);
    }
    this.#latestOrigin = by;
    this.#latestNumber = number;
    return number;
  }

  accepted({ requestId, action, accepted: { wallMs }, spec: { body } }: Request, origin: number): number {
    const postbox = this.#postbox;
    if (postbox.waitingBytes >= postbox.waitingBytesMax) {
      this.#lost++;
      postbox.lost(1);
      return 0;
    }
    this.#makeRoom(this.#count + 1, this.#idsLength + ID_BYTES_MAX);
    const seq = this.#first + this.#count;
    const numbers = this.#numbers;
    const at = this.#count++ * WIDTH;
    numbers[at + BY] = origin;
    numbers[at + ACCEPTED] = wallMs;
    numbers[at + DISPATCHED] = NOT_YET;
    numbers[at + INPUT_SEQ] = 0;
    numbers[at + DURATION] = NOT_YET;
    numbers[at + OUTCOME] = 0;
    if (action === 'tap') {
      const { x, y } = body as Point;
      numbers[at + X] = x;
      numbers[at + Y] = y;
    } else {
      numbers[at + X] = Number.NaN;
      // The points of a live gesture come as steps.
      const isLive = action === 'pointer';
      numbers[at + Y] = isLive ? LIVE : 0;
      if (!isLive) this.#noteBody(seq, action, body);
    }
    const { length } = requestId;
    let end = this.#idsLength;
    for (let index = 0; index < length; index++) this.#ids[end++] = requestId.charCodeAt(index);
    this.#ids[end++] = LINE_FEED;
    this.#idsLength = end;
    postbox.waitingBytes += ENTRY_BYTES;
    if (this.#lost > 0) {
      this.#note({ seq, lost: this.#lost });
      this.#lost = 0;
    }
    if (!this.#isAdded) this.#add();
    return seq;
  }

  dispatched(entry: number, inputSeq: number, afterMs: number): void {
    const index = entry - this.#first;
    if (index >= 0) {
      const at = index * WIDTH;
      if (this.#numbers[at + DISPATCHED] === NOT_YET) this.#numbers[at + DISPATCHED] = Math.round(afterMs);
      this.#numbers[at + INPUT_SEQ] = inputSeq;
    } else if (entry > 0) {
      this.#changes.push(entry, DISPATCHED, Math.round(afterMs), entry, INPUT_SEQ, inputSeq);
      if (!this.#isAdded) this.#add();
    }
  }

  step(entry: number, phase: PointerPhase, points: readonly Point[], afterMs: number): void {
    if (entry === 0) return;
    const steps = (this.#steps.get(entry) ?? 0) + 1;
    this.#steps.set(entry, steps);
    const isLast = phase === 'end';
    // Of a gesture that goes on for long, its end is kept in any case.
    if (steps === LIMITS.historySteps && !isLast) this.#note({ seq: entry, cut: true });
    if (steps >= LIMITS.historySteps && !isLast) return;
    this.#addStep(entry, phase, points, afterMs);
    if (!this.#isAdded) this.#add();
  }

  #addStep(entry: number, phase: PointerPhase, points: readonly Point[], afterMs: number): void {
    const width = 2 + points.length * 2;
    let at = this.#placeOfStep(2 + width);
    const numbers = this.#stepNumbers;
    numbers[at++] = entry;
    numbers[at++] = width;
    numbers[at++] = PHASES.indexOf(phase);
    numbers[at++] = Math.round(afterMs);
    for (const { x, y } of points) {
      numbers[at++] = x;
      numbers[at++] = y;
    }
    this.#postbox.waitingBytes += (2 + width) * Float64Array.BYTES_PER_ELEMENT;
  }

  touched(entry: number, touched: Touched): void {
    if (entry === 0) return;
    this.#note({ seq: entry, touched });
    if (!this.#isAdded) this.#add();
  }

  ended(entry: number, ending: Ending, durationMs: number): void {
    if (entry === 0) return;
    const outcome = ending.status === 'completed' ? COMPLETED : STATUSES.indexOf(ending.status);
    const index = entry - this.#first;
    if (index >= 0) {
      const at = index * WIDTH;
      this.#numbers[at + DURATION] = durationMs;
      this.#numbers[at + OUTCOME] = outcome;
    } else {
      this.#changes.push(entry, DURATION, durationMs, entry, OUTCOME, outcome);
      if (!this.#isAdded) this.#add();
    }
    if (ending.status !== 'completed') this.#note({ seq: entry, error: ending.error });
    if (this.#steps.size > 0) this.#steps.delete(entry);
  }

  observed(entry: number, { tree: _tree, ...observed }: Observed): void {
    if (entry === 0) return;
    // What the screen says is not kept: a text that was typed may be among it.
    this.#note({ seq: entry, observed });
    if (!this.#isAdded) this.#add();
  }

  /**
   * The news since the last call. They count as waiting until they are written.
   * @param olderThanMs entries that were accepted later, in milliseconds since the epoch, and have not ended stay for the next
   *   call with all behind them, so that the piece that has them need not be written twice
   */
  take(olderThanMs = Number.POSITIVE_INFINITY): Piece {
    const count = this.#countOf(olderThanMs);
    const kept = this.#count - count;
    const idsLength = this.#idsEnd(kept);
    const next = this.#first + count;
    const stays = ({ seq }: Note): boolean => seq >= next;
    const numbers = this.#numbers;
    const ids = this.#ids;
    const piece: Piece = {
      sessionId: this.#sessionId,
      fullTexts: this.#fullTexts,
      first: this.#first,
      count,
      numbers: numbers.subarray(0, count * WIDTH),
      ids: ids.subarray(0, idsLength),
      notes: kept === 0 ? this.#notes : this.#notes.filter((note) => !stays(note)),
      steps: this.#takeSteps(kept === 0 ? Number.POSITIVE_INFINITY : next),
      changes: this.#changes,
      origins: this.#newOrigins,
      firstOrigin: this.#origins.size - this.#newOrigins.length + 1,
    };
    if (count > 0) this.#beginAnew(count, kept, ids.subarray(idsLength, this.#idsLength));
    this.#first = next;
    if (this.#notes.length > 0) this.#notes = kept === 0 ? [] : this.#notes.filter(stays);
    if (this.#changes.length > 0) this.#changes = [];
    if (this.#newOrigins.length > 0) this.#newOrigins = [];
    this.#isAdded = false;
    if (kept > 0) this.#add();
    return piece;
  }

  /** The steps of entries before `next`; the others stay, in memory of their own. */
  #takeSteps(next: number): Float64Array {
    const numbers = this.#stepNumbers;
    const length = this.#stepsLength;
    if (length === 0) return NONE;
    this.#usualStepsLength = length;
    this.#stepNumbers = NONE;
    this.#stepsLength = 0;
    if (next === Number.POSITIVE_INFINITY) return numbers.subarray(0, length);
    let taken = 0;
    for (let at = 0; at < length; ) {
      const end = at + 2 + (numbers[at + 1] as number);
      if ((numbers[at] as number) >= next) {
        const place = this.#placeOfStep(end - at);
        this.#stepNumbers.set(numbers.subarray(at, end), place);
      } else {
        numbers.copyWithin(taken, at, end);
        taken += end - at;
      }
      at = end;
    }
    return numbers.subarray(0, taken);
  }

  /** Makes room for a step of so many numbers, and tells where. */
  #placeOfStep(width: number): number {
    const place = this.#stepsLength;
    this.#stepsLength += width;
    if (this.#stepsLength > this.#stepNumbers.length) {
      const length = Math.max(STEPS_CAPACITY_MIN, this.#usualStepsLength, this.#stepsLength * 2);
      this.#stepNumbers = grown(this.#stepNumbers, length);
    }
    return place;
  }

  /** What was taken is the thread's from now on: what stays moves into memory of its own. */
  #beginAnew(count: number, kept: number, keptIds: Uint8Array): void {
    const taken = this.#numbers;
    this.#numbers = NONE;
    this.#ids = NO_IDS;
    this.#usualEntries = count;
    this.#usualIdsBytes = this.#idsLength;
    this.#count = kept;
    this.#idsLength = keptIds.length;
    if (kept === 0) return;
    this.#makeRoom(kept, keptIds.length);
    this.#numbers.set(taken.subarray(count * WIDTH, (count + kept) * WIDTH));
    this.#ids.set(keptIds);
  }

  /** How many entries, from the first one on, have ended or are old enough. */
  #countOf(olderThanMs: number): number {
    const numbers = this.#numbers;
    let count = 0;
    for (let at = 0; count < this.#count; at += WIDTH) {
      if (numbers[at + OUTCOME] === 0 && (numbers[at + ACCEPTED] as number) >= olderThanMs) break;
      count++;
    }
    return count;
  }

  /** Where the ids end that come before those of the last `kept` entries. */
  #idsEnd(kept: number): number {
    let end = this.#idsLength;
    // Each begins behind the line feed of the one before.
    for (let left = kept; left > 0; left--) end = end < 2 ? 0 : this.#ids.lastIndexOf(LINE_FEED, end - 2) + 1;
    return end;
  }

  /** Of a gesture, as the numbers that it is made of: as an object it would take five times as long to post. */
  #noteBody(seq: number, action: string, body: object): void {
    if (action === 'gesture') {
      const numbers = numbersOfGesture(body as Parameters<typeof numbersOfGesture>[0]);
      this.#postbox.waitingBytes += numbers.byteLength;
      this.#note({ seq, action, body: numbers });
    } else {
      if ('text' in body) this.#postbox.waitingBytes += String(body.text).length;
      this.#note({ seq, action, body });
    }
  }

  #note(note: Note): void {
    this.#notes.push(note);
    this.#postbox.waitingBytes += NOTE_BYTES;
  }

  #add(): void {
    this.#isAdded = true;
    this.#postbox.add(this);
  }

  #makeRoom(entries: number, idsBytes: number): void {
    if (entries * WIDTH > this.#numbers.length) {
      const capacity = Math.max(CAPACITY_MIN, this.#usualEntries, entries * 2);
      this.#numbers = grown(this.#numbers, capacity * WIDTH);
    }
    if (idsBytes > this.#ids.length) {
      const ids = idsOf(Math.max(this.#usualIdsBytes, idsBytes * 2));
      ids.set(this.#ids);
      this.#ids = ids;
    }
  }
}

/** In memory that the thread reads where it is: to copy it would hold up the taps of that moment. */
function sharedNumbers(length: number): Float64Array<SharedArrayBuffer> {
  return new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
}

/** The same numbers with room for more. */
function grown(numbers: Float64Array, length: number): Float64Array<SharedArrayBuffer> {
  const more = sharedNumbers(length);
  more.set(numbers);
  return more;
}

function idsOf(bytes: number): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(new SharedArrayBuffer(bytes));
}
