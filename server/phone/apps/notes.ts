import type { Rect } from '../../device/driver.ts';
import type { Colour } from '../draw/colour.ts';
import { TYPE_AND_SCROLL } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import { clamp, distance, type Pixel, type Size } from '../geometry.ts';
import type { SavedNotes } from '../saved-state.ts';
import { applyKey, type LineMoves } from '../text/editing-keys.ts';
import { beginsSentence, TextEditor, wordAt } from '../text/editor.ts';
import type { Font } from '../text/font.ts';
import { graphemeCount } from '../text/graphemes.ts';
import { breakLines, caretAt, caretOffset, type Line, lineOf, shownText } from '../text/lines.ts';
import type { App, AppDefinition, AppDocument, KeyEvent, TouchEvent } from './app.ts';
import { applyEdit, type EditAction, editActionAt, paintEditMenu } from './edit-menu.ts';
import { Press } from './press.ts';
import { ScrollView } from './scroll-view.ts';

/** Two taps within this time are a double tap. */
const DOUBLE_TAP_MS = 350;
/** A finger that stays for this long asks for the menu. */
const HOLD_MS = 500;

/** The text in lines, and what it was broken for. */
interface Broken {
  readonly font: Font;
  readonly text: string;
  readonly width: number;
  readonly lines: readonly Line[];
  /** Characters as people count them. */
  readonly count: number;
}

/** One page of text under a title. */
class Notes implements App {
  readonly id = 'notes';
  readonly immersive = false;
  readonly #environment: Environment;
  readonly #editor = new TextEditor();
  readonly #scroll: ScrollView;
  readonly #press: Press<EditAction | 'text'>;
  /** When the finger came down, and when and where it last tapped the text. */
  #downMs = 0;
  #tappedMs = Number.NEGATIVE_INFINITY;
  #tappedAt: Pixel = { x: 0, y: 0 };
  /** The other end of the selection, while a finger holds one. */
  #grip: number | undefined;
  #menuShown = false;
  #size: Size = { width: 1, height: 1 };
  #broken: Broken | undefined;

  /** The page as a file. */
  readonly document: AppDocument = {
    name: 'Note.txt',
    read: () => this.#editor.text,
    write: (text) => this.#replace(text),
  };

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#scroll = new ScrollView(environment);
    this.#press = new Press(environment.theme.px(10));
  }

  activate(): void {
    this.#environment.showKeyboard(true);
  }

  get background(): Colour {
    return this.#environment.theme.palette.background;
  }

  resize(size: Size): void {
    const turned = size.width !== this.#size.width;
    this.#size = size;
    // The text moves up with the keyboard, and down again.
    if (turned) this.#follow();
    else this.#scroll.smoothly(() => this.#follow());
  }

  touch(event: TouchEvent): void {
    const at = event.points[0];
    if (event.phase === 'begin' && at) return this.#begin(at, event.atMs);
    if (this.#grip !== undefined) return this.#dragGrip(event);
    this.#scroll.touch(event);
    if (event.phase === 'cancel') this.#press.cancel();
    if (!at) return;
    this.#press.move(at);
    if (event.phase !== 'end') return;
    const target = this.#press.end();
    if (target === 'text') this.#tapped(at, event.atMs);
    else if (target) this.#edit(target);
  }

  /** Takes hold of an end of the selection, or of whatever a tap would mean. */
  #begin(at: Pixel, atMs: number): void {
    this.#downMs = atMs;
    const [from, to] = this.#editor.selection;
    const reach = this.#environment.theme.px(20);
    // The end is the nearer one of a short selection.
    const grip = from < to ? [to, from].find((end) => distance(this.#gripAt(end), at) <= reach) : undefined;
    this.#grip = grip === undefined ? undefined : grip === to ? from : to;
    if (grip !== undefined) return;
    const action = this.#menuShown
      ? editActionAt(this.#editor, this.#environment, this.#selectionArea(), this.#size, at)
      : undefined;
    this.#press.begin(action ?? 'text', at);
    this.#scroll.touch({ phase: 'begin', points: [at], atMs });
  }

  /** Moves the end of the selection that the finger holds. */
  #dragGrip({ phase, points: [at] }: TouchEvent): void {
    const anchor = this.#grip;
    if (phase === 'end' || phase === 'cancel') this.#grip = undefined;
    if (anchor === undefined || !at || phase === 'cancel') return;
    const place = this.#placeAt({ x: at.x, y: at.y - this.#layout().lineHeight });
    if (place !== anchor) this.#editor.select(anchor, place);
    this.#menuShown = phase === 'end';
    this.#environment.changed();
  }

  #placeAt(at: Pixel): number {
    const { top, margin, lineHeight } = this.#layout();
    const lines = this.#lines();
    const row = Math.floor((at.y - top + this.#scroll.offset()) / lineHeight);
    const line = lines[clamp(row, 0, lines.length - 1)];
    return line ? caretAt(this.#editor.text, line, at.x - margin, this.#font()) : 0;
  }

  /**
   * A tap puts the caret where it is and a second one selects the word there. A finger that stays, and a tap on the caret,
   * bring the menu.
   */
  #tapped(at: Pixel, atMs: number): void {
    const place = this.#placeAt(at);
    const isSecond =
      atMs - this.#tappedMs <= DOUBLE_TAP_MS && distance(at, this.#tappedAt) <= this.#environment.theme.px(24);
    const { caret, selection } = this.#editor;
    const wasThere = place === caret && selection[0] === selection[1] && this.#tappedMs !== Number.NEGATIVE_INFINITY;
    [this.#tappedMs, this.#tappedAt] = [atMs, at];
    if (isSecond) this.#editor.select(...wordAt(this.#editor.text, place));
    else this.#editor.moveTo(place);
    this.#menuShown = isSecond || atMs - this.#downMs >= HOLD_MS || (wasThere && !this.#menuShown);
    this.#environment.showKeyboard(true);
    this.#environment.changed();
  }

  #edit(action: EditAction): void {
    applyEdit(this.#editor, action, this.#environment);
    this.#follow();
    this.#menuShown = action === 'selectAll';
  }

  beginsSentence(): boolean {
    return beginsSentence(this.#editor.text, this.#editor.selection[0]);
  }

  typeText(text: string): boolean {
    this.#editor.insert(text);
    this.#menuShown = false;
    this.#follow();
    return true;
  }

  insertText(text: string): boolean {
    this.#editor.insertWhole(text);
    this.#menuShown = false;
    this.#follow();
    return true;
  }

  #replace(text: string): void {
    const before = this.#editor.save();
    this.#editor.selectAll();
    try {
      this.#editor.insertWhole(text);
    } catch (error) {
      this.#editor.restore(before);
      throw error;
    }
    this.#menuShown = false;
    this.#follow();
  }

  keyDown({ key, modifiers }: KeyEvent): void {
    applyKey(this.#editor, key, modifiers, this.#environment, this.#moves());
    this.#menuShown = false;
    this.#follow();
  }

  scroll(_deltaX: number, deltaY: number): void {
    this.#scroll.scrollBy(deltaY);
  }

  memoryWarning(): void {
    this.#broken = undefined;
  }

  animating(animationMs: number): boolean {
    return this.#scroll.animating(animationMs);
  }

  #font() {
    return this.#environment.theme.fonts.body;
  }

  #layout() {
    const { px, line } = this.#environment.theme;
    const turned = this.#size.width > this.#size.height * 1.4;
    const top = turned ? px(8) : px(74);
    return { top, margin: px(20), lineHeight: line(25), room: Math.max(1, this.#size.height - top - px(20)) };
  }

  #lines(): readonly Line[] {
    return this.#brokenText().lines;
  }

  #brokenText(): Broken {
    const { text } = this.#editor;
    const font = this.#font();
    const width = this.#size.width - 2 * this.#layout().margin;
    if (this.#broken?.text !== text || this.#broken.width !== width || this.#broken.font !== font) {
      this.#broken = { text, width, font, lines: breakLines(text, font, width), count: graphemeCount(text) };
    }
    return this.#broken;
  }

  /** Scrolls so that the caret stays visible. */
  #follow(): void {
    const { lineHeight, room } = this.#layout();
    const lines = this.#lines();
    const row = lineOf(lines, this.#editor.caret);
    this.#scroll.resize(lines.length * lineHeight, room);
    this.#scroll.reveal(row * lineHeight, (row + 1) * lineHeight, room);
    this.#environment.changed();
  }

  #moves(): LineMoves {
    const lines = this.#lines();
    const { text } = this.#editor;
    const font = this.#font();
    const lineAt = (caret: number) => lines[lineOf(lines, caret)] ?? { from: 0, to: text.length };
    const { lineHeight, room } = this.#layout();
    return {
      pageLines: Math.max(1, Math.floor(room / lineHeight) - 1),
      lineStart: (caret) => lineAt(caret).from,
      lineEnd: (caret) => lineAt(caret).to,
      vertical(caret, count) {
        const row = lineOf(lines, caret) + count;
        const target = lines[row];
        if (!target) return row < 0 ? 0 : text.length;
        return caretAt(text, target, caretOffset(text, lineAt(caret), caret, font), font);
      },
    };
  }

  paint(scene: Scene, animationMs: number, seen: Size): void {
    const { palette, fonts, px } = this.#environment.theme;
    const { top, margin } = this.#layout();
    // What is about to be covered is in sight until the keyboard is there.
    const room = this.#layout().room + seen.height - this.#size.height;
    if (top > px(40)) {
      scene.label('Notes', margin, px(46), fonts.title, palette.text, 'left', { role: 'heading' });
      const { count } = this.#brokenText();
      const counted = count === 1 ? '1 character' : `${count} characters`;
      scene.label(counted, this.#size.width - margin, px(45), fonts.caption, palette.secondary, 'right');
      scene.rect({ x: margin, y: px(62), width: this.#size.width - 2 * margin, height: 1 }, palette.separator);
    }
    const text = { x: 0, y: top, width: this.#size.width, height: room };
    const facts = { role: 'textfield', name: 'Note', value: this.#editor.text, id: 'notes.text' } as const;
    // A tap beside the lines goes to the text as well.
    const touched = { x: 0, y: 0, width: this.#size.width, height: top + room };
    scene.node({ ...facts, focused: true, editable: true, actions: TYPE_AND_SCROLL }, touched, () => {
      scene.within(text, () => this.#paintText(scene, animationMs, room));
    });
    if (this.#editor.selectedText !== '') this.#paintGrips(scene, animationMs);
    if (this.#menuShown)
      paintEditMenu(scene, this.#editor, this.#environment, this.#selectionArea(animationMs), this.#size);
  }

  #paintText(scene: Scene, animationMs: number, room: number): void {
    const { palette, px } = this.#environment.theme;
    const { margin, lineHeight } = this.#layout();
    const { text, caret, selection } = this.#editor;
    const font = this.#font();
    const offset = this.#scroll.offset(animationMs);
    const lines = this.#lines();
    const baseline = Math.round(lineHeight * 0.72);
    if (text === '') scene.text('Start typing…', margin, baseline, font, palette.secondary);
    const caretRow = lineOf(lines, caret);
    const first = Math.floor(offset / lineHeight);
    for (let row = first; row < lines.length && row * lineHeight < offset + room; row++) {
      const line = lines[row];
      if (!line) continue;
      const y = row * lineHeight - offset;
      const from = Math.max(selection[0], line.from);
      const to = Math.min(selection[1], line.to);
      if (from < to || (selection[0] <= line.to && selection[1] > line.to)) {
        const left = margin + Math.round(caretOffset(text, line, Math.min(from, line.to), font));
        const width = Math.max(px(4), Math.round(caretOffset(text, line, to, font)) + margin - left);
        scene.rect({ x: left, y, width, height: lineHeight }, palette.selection);
      }
      scene.text(shownText(text.slice(line.from, line.to)), margin, y + baseline, font, palette.text);
      if (row !== caretRow || selection[0] < selection[1]) continue;
      const x = margin + Math.round(caretOffset(text, line, caret, font));
      scene.rect({ x, y: y + px(2), width: px(2), height: lineHeight - px(4) }, palette.accent);
    }
  }

  /** The foot of the caret at a place of the text. */
  #footAt(place: number, animationMs?: number): Pixel {
    const { top, margin, lineHeight } = this.#layout();
    const lines = this.#lines();
    const row = lineOf(lines, place);
    const line = lines[row] ?? { from: 0, to: 0 };
    const x = margin + Math.round(caretOffset(this.#editor.text, line, place, this.#font()));
    return { x, y: top + (row + 1) * lineHeight - this.#scroll.offset(animationMs) };
  }

  /** The middle of the grip below an end of the selection. */
  #gripAt(place: number, animationMs?: number): Pixel {
    const { x, y } = this.#footAt(place, animationMs);
    return { x, y: y + this.#environment.theme.px(6) };
  }

  /** What is selected, or the caret, as the place for the menu. */
  #selectionArea(animationMs?: number): Rect {
    const [from, to] = this.#editor.selection.map((place) => this.#footAt(place, animationMs));
    const { top, lineHeight, margin } = this.#layout();
    const [first, last] = [from ?? { x: 0, y: 0 }, to ?? { x: 0, y: 0 }];
    const y = clamp(first.y - lineHeight, top, this.#size.height);
    const oneLine = first.y === last.y;
    const x = oneLine ? first.x : margin;
    const width = oneLine ? last.x - first.x : this.#size.width - 2 * margin;
    return { x, y, width, height: clamp(last.y, y, this.#size.height) - y };
  }

  #paintGrips(scene: Scene, animationMs: number): void {
    const { palette, px } = this.#environment.theme;
    const { top, lineHeight } = this.#layout();
    for (const place of this.#editor.selection) {
      const middle = this.#gripAt(place, animationMs);
      if (middle.y < top || middle.y > this.#size.height) continue;
      scene.rect({ x: middle.x - px(1), y: middle.y - lineHeight, width: px(2), height: lineHeight }, palette.accent);
      scene.circle(middle, px(6), palette.accent);
    }
  }

  save(): SavedNotes {
    const tapped = this.#tappedMs !== Number.NEGATIVE_INFINITY;
    return { ...this.#editor.save(), offset: this.#scroll.offset(), menuShown: this.#menuShown, tapped };
  }

  restore({ offset, menuShown, tapped, ...text }: SavedNotes): void {
    this.#editor.restore(text);
    this.#follow();
    this.#scroll.restore(offset);
    this.#menuShown = menuShown;
    // Too long ago for a second tap.
    this.#tappedMs = tapped ? -Number.MAX_VALUE : Number.NEGATIVE_INFINITY;
  }

  inspect(): Readonly<Record<string, unknown>> {
    const { text, caret, selection } = this.#editor;
    const { shift, shiftHeld } = this.#environment.state;
    return { text, caret, selection: [...selection], shifted: shift !== 'off' || shiftHeld };
  }
}

export const notes: AppDefinition = {
  id: 'notes',
  name: 'Notes',
  docked: true,
  create: (environment) => new Notes(environment),
};
