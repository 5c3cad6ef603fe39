import { DeviceFault } from '../../device/fault.ts';
import { clamp } from '../geometry.ts';
import type { SavedText } from '../saved-state.ts';
import { graphemeAfter, graphemeAt, graphemeBefore } from './graphemes.ts';

/** Maximum length; further text is dropped. A key press in a longer text would take longer than a picture. */
export const TEXT_MAX = 50_000;

/**
 * A text that is being edited, with a caret and a selection from the anchor to the caret, both between grapheme clusters. Places
 * are UTF-16 indices.
 */
export class TextEditor {
  readonly #hasOneLine: boolean;
  #text = '';
  #caret = 0;
  #anchor = 0;

  /** @param hasOneLine line breaks and tabs that are inserted become blanks */
  constructor(hasOneLine = false) {
    this.#hasOneLine = hasOneLine;
  }

  get text(): string {
    return this.#text;
  }

  get caret(): number {
    return this.#caret;
  }

  /** Start and end of the selection; equal if nothing is selected. */
  get selection(): readonly [from: number, to: number] {
    return [Math.min(this.#anchor, this.#caret), Math.max(this.#anchor, this.#caret)];
  }

  get selectedText(): string {
    return this.#text.slice(...this.selection);
  }

  /** The place one cluster before the caret, and the one behind it. */
  get before(): number {
    return graphemeBefore(this.#text, this.#caret);
  }

  get after(): number {
    return graphemeAfter(this.#text, this.#caret);
  }

  /** Replaces the whole text and puts the caret at its end. */
  setText(text: string): void {
    this.#text = text;
    this.moveTo(text.length);
  }

  save(): SavedText {
    return { text: this.#text, caret: this.#caret, anchor: this.#anchor };
  }

  restore({ text, caret, anchor }: SavedText): void {
    this.#text = text;
    this.select(anchor, caret);
  }

  /** Replaces the selection. */
  insert(given: string): void {
    const text = this.#hasOneLine ? given.replaceAll(/[\r\n\t]+/g, ' ') : given;
    const [from, to] = this.selection;
    const fitting = text.slice(0, graphemeAt(text, TEXT_MAX - this.#text.length + to - from));
    this.#text = this.#text.slice(0, from) + fitting + this.#text.slice(to);
    const end = from + fitting.length;
    const boundary = graphemeAt(this.#text, end);
    // What was inserted may have become one cluster with what follows.
    this.moveTo(boundary < end ? graphemeAfter(this.#text, boundary) : boundary);
  }

  /** Replaces the selection with the whole text; throws a `DeviceFault` if there is no room for all of it. */
  insertWhole(text: string): void {
    const [from, to] = this.selection;
    if (this.#text.length - (to - from) + text.length > TEXT_MAX) {
      throw new DeviceFault('failed', 'The field has no room for the whole text.');
    }
    this.insert(text);
  }

  /** Deletes the selection or, if there is none, the text between the caret and `index`. */
  deleteTo(index: number): void {
    const [from, to] = this.selection;
    if (from === to) this.moveTo(index, true);
    this.insert('');
  }

  /** Moves the caret to a place, or to the beginning of the cluster there. With `extend` the anchor stays. */
  moveTo(index: number, extend = false): void {
    this.#caret = graphemeAt(this.#text, clamp(index, 0, this.#text.length));
    if (!extend) this.#anchor = this.#caret;
  }

  /** Selects from one place to another, where the caret is then. */
  select(anchor: number, caret: number): void {
    this.moveTo(anchor);
    this.moveTo(caret, true);
  }

  selectAll(): void {
    this.#anchor = 0;
    this.#caret = this.#text.length;
  }
}

/** Letters and digits of any script, and halves of those beyond the first plane. */
const WORD = /[\p{L}\p{N}\p{M}\p{Cs}]/u;

/** The word that contains a place or ends there; empty where there is none. */
export function wordAt(text: string, index: number): readonly [from: number, to: number] {
  let [from, to] = [index, index];
  while (from > 0 && WORD.test(text.charAt(from - 1))) from--;
  while (to < text.length && WORD.test(text.charAt(to))) to++;
  return [from, to];
}

/** So much of a text decides whether a sentence begins behind it. */
const SENTENCE_END_UNITS = 40;

/** True if a sentence begins at a place: at the start of the text or of a line, or behind a full stop and a space. */
export function beginsSentence(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - SENTENCE_END_UNITS), index);
  if (index <= SENTENCE_END_UNITS && /^\s*$/.test(before)) return true;
  return /(\n|[.!?\u2026]["')\]\u2019\u201d]*[ \t])[ \t]*$/.test(before);
}

/** Beginning of the word before `index`. */
export function wordBefore(text: string, index: number): number {
  let at = index;
  while (at > 0 && !WORD.test(text.charAt(at - 1))) at--;
  while (at > 0 && WORD.test(text.charAt(at - 1))) at--;
  return at;
}

/** End of the word after `index`. */
export function wordAfter(text: string, index: number): number {
  let at = index;
  while (at < text.length && !WORD.test(text.charAt(at))) at++;
  while (at < text.length && WORD.test(text.charAt(at))) at++;
  return at;
}
