import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import { clamp, type Pixel, type Size } from '../geometry.ts';
import { applyKey, type LineMoves } from '../text/editing-keys.ts';
import { TextEditor } from '../text/editor.ts';
import { graphemeCount } from '../text/graphemes.ts';
import { breakLines, caretAt, caretOffset, type Line, lineOf, shownText } from '../text/lines.ts';
import type { App, AppDefinition, KeyEvent, TouchEvent } from './app.ts';
import { Press } from './press.ts';
import { ScrollView } from './scroll-view.ts';

/** The text in lines, and what it was broken for. */
interface Broken {
  readonly text: string;
  readonly width: number;
  readonly lines: readonly Line[];
  /** Characters as people count them. */
  readonly count: number;
}

/** One page of text under a title. */
class Notes implements App {
  readonly id = 'notes';
  readonly background;
  readonly immersive = false;
  readonly #environment: Environment;
  readonly #editor = new TextEditor();
  readonly #scroll: ScrollView;
  readonly #press: Press<true>;
  #size: Size = { width: 1, height: 1 };
  #broken: Broken | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.background = environment.theme.palette.background;
    this.#scroll = new ScrollView(environment);
    this.#press = new Press(environment.theme.px(10));
  }

  activate(): void {
    this.#environment.showKeyboard(true);
  }

  resize(size: Size): void {
    this.#size = size;
    this.#follow();
  }

  touch(event: TouchEvent): void {
    const at = event.points[0];
    this.#scroll.touch(event);
    if (event.phase === 'cancel') this.#press.cancel();
    if (!at) return;
    if (event.phase === 'begin') this.#press.begin(true, at);
    else this.#press.move(at);
    if (event.phase === 'end' && this.#press.end()) this.#place(at);
  }

  /** Puts the caret where the text was tapped. */
  #place(at: Pixel): void {
    const { top, margin, lineHeight } = this.#layout();
    const lines = this.#lines();
    const row = Math.floor((at.y - top + this.#scroll.offset()) / lineHeight);
    const line = lines[clamp(row, 0, lines.length - 1)];
    if (line) this.#editor.moveTo(caretAt(this.#editor.text, line, at.x - margin, this.#font()));
    this.#environment.showKeyboard(true);
    this.#environment.changed();
  }

  typeText(text: string): boolean {
    this.#editor.insert(text);
    this.#follow();
    return true;
  }

  insertText(text: string): boolean {
    this.#editor.insertWhole(text);
    this.#follow();
    return true;
  }

  keyDown({ key, modifiers }: KeyEvent): void {
    applyKey(this.#editor, key, modifiers, this.#environment, this.#moves());
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
    const { px } = this.#environment.theme;
    const turned = this.#size.width > this.#size.height * 1.4;
    const top = turned ? px(8) : px(74);
    return { top, margin: px(20), lineHeight: px(25), room: Math.max(1, this.#size.height - top - px(20)) };
  }

  #lines(): readonly Line[] {
    return this.#brokenText().lines;
  }

  #brokenText(): Broken {
    const { text } = this.#editor;
    const width = this.#size.width - 2 * this.#layout().margin;
    if (this.#broken?.text !== text || this.#broken.width !== width) {
      this.#broken = { text, width, lines: breakLines(text, this.#font(), width), count: graphemeCount(text) };
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

  paint(scene: Scene, animationMs: number): void {
    const { palette, fonts, px } = this.#environment.theme;
    const { top, margin, room } = this.#layout();
    if (top > px(40)) {
      scene.text('Notes', margin, px(46), fonts.title, palette.text);
      const { count } = this.#brokenText();
      const counted = count === 1 ? '1 character' : `${count} characters`;
      scene.text(counted, this.#size.width - margin, px(45), fonts.caption, palette.secondary, 'right');
      scene.rect({ x: margin, y: px(62), width: this.#size.width - 2 * margin, height: 1 }, palette.separator);
    }
    scene.within({ x: 0, y: top, width: this.#size.width, height: room }, () => this.#paintText(scene, animationMs));
  }

  #paintText(scene: Scene, animationMs: number): void {
    const { palette, px } = this.#environment.theme;
    const { margin, lineHeight, room } = this.#layout();
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
      if (row !== caretRow) continue;
      const x = margin + Math.round(caretOffset(text, line, caret, font));
      scene.rect({ x, y: y + px(2), width: px(2), height: lineHeight - px(4) }, palette.accent);
    }
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
