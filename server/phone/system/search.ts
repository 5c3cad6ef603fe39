import type { Rect } from '../../device/driver.ts';
import type { AppDefinition, KeyEvent, TouchEvent } from '../apps/app.ts';
import { Press } from '../apps/press.ts';
import { appIcon } from '../art/app-icons.ts';
import { symbol } from '../art/symbols.ts';
import { colour, faded } from '../draw/colour.ts';
import { type NodeFacts, TAP, TYPE } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import { contains } from '../geometry.ts';
import { Glide } from '../glide.ts';
import type { SavedText } from '../saved-state.ts';
import { applyKey } from '../text/editing-keys.ts';
import { TextEditor } from '../text/editor.ts';
import { fit, fitEnd } from '../text/fit.ts';
import type { Layout } from './layout.ts';

const COME_MS = 250;
/** More results than this would not fit above the keyboard of any phone. */
const RESULTS_MAX = 6;

/** Calls of the search to the system. */
export interface SearchHost {
  /** @param from the area of the app's icon, if it is in sight */
  open(app: string, from?: Rect): void;
  close(): void;
}

interface Result {
  readonly app: AppDefinition;
  readonly row: Rect;
  readonly icon: Rect;
}

/** A field over the home screen that finds installed apps by a part of their name. */
export class Search {
  readonly #environment: Environment;
  readonly #apps: readonly AppDefinition[];
  readonly #host: SearchHost;
  readonly #presence: Glide;
  readonly #press: Press<Result | 'outside'>;
  readonly #editor = new TextEditor();
  #shown = false;
  /** The share of its way that a finger has pulled it; 0 without a finger. */
  #pulled = 0;

  constructor(environment: Environment, apps: readonly AppDefinition[], host: SearchHost) {
    this.#environment = environment;
    this.#apps = apps;
    this.#host = host;
    this.#presence = new Glide(environment, COME_MS);
    this.#press = new Press(environment.theme.px(12));
  }

  get shown(): boolean {
    return this.#shown;
  }

  show(shown: boolean): void {
    if (this.#shown === shown) return;
    this.#shown = shown;
    if (shown) this.#editor.setText('');
    this.#press.cancel();
    this.#presence.moveFrom(this.#share(this.#environment.animationMs()), shown ? 1 : 0);
    this.#pulled = 0;
    this.#environment.log('search', { shown });
    this.#environment.changed();
  }

  /** What is typed; `undefined` while it is away. */
  save(): SavedText | undefined {
    return this.#shown ? this.#editor.save() : undefined;
  }

  restore(saved: SavedText | undefined): void {
    this.#press.cancel();
    this.#shown = saved !== undefined;
    this.#editor.restore(saved ?? { text: '', caret: 0, anchor: 0 });
    this.#pulled = 0;
    this.#presence.jumpTo(this.#shown ? 1 : 0);
  }

  /** Follows a finger that pulls it; with 0 it goes back from where the finger has left it. */
  pull(share: number): void {
    if (this.#pulled === share) return;
    if (this.#pulled === 0) this.#editor.setText('');
    if (share === 0) this.#presence.moveFrom(this.#pulled, 0);
    this.#pulled = share;
  }

  #share(animationMs: number): number {
    return this.#pulled || this.#presence.at(animationMs);
  }

  isMoving(animationMs: number): boolean {
    return this.#presence.isMoving(animationMs);
  }

  typeText(text: string): boolean {
    const [typed = '', ...rest] = text.split('\n');
    this.#editor.insert(typed);
    if (rest.length > 0) this.#openFirst();
    return true;
  }

  insertText(text: string): boolean {
    this.#editor.insertWhole(text.replaceAll('\n', ' '));
    return true;
  }

  keyDown({ key, modifiers }: KeyEvent): void {
    if (key === 'escape') return this.#host.close();
    if (key === 'enter' || key === 'numpadEnter') return this.#openFirst();
    const end = this.#editor.text.length;
    const lines = {
      pageLines: 1,
      lineStart: () => 0,
      lineEnd: () => end,
      vertical: (_: number, by: number) => (by < 0 ? 0 : end),
    };
    if (key !== 'tab') applyKey(this.#editor, key, modifiers, this.#environment, lines);
  }

  #openFirst(): void {
    const [first] = this.#found();
    if (first) this.#host.open(first.id);
  }

  /** Names that begin with the text come first; without a text, all apps in the order of the home screen. */
  #found(): readonly AppDefinition[] {
    const wanted = this.#editor.text.trim().toLowerCase();
    const placed = this.#apps.map((app) => ({ app, at: app.name.toLowerCase().indexOf(wanted) }));
    const found = placed.filter(({ at }) => at >= 0).sort((a, b) => Number(a.at > 0) - Number(b.at > 0));
    return found.slice(0, RESULTS_MAX).map(({ app }) => app);
  }

  #field({ picture, statusBar }: Layout): Rect {
    const { px } = this.#environment.theme;
    return { x: px(16), y: statusBar.height + px(8), width: picture.width - px(32), height: px(46) };
  }

  /** The rows that have room above the keyboard. */
  #results(layout: Layout): readonly Result[] {
    const { px } = this.#environment.theme;
    const field = this.#field(layout);
    const floor = layout.keyboard?.y ?? layout.navigationBar.y;
    const [height, size] = [px(54), px(40)];
    const rows = this.#found().map((app, index) => {
      const row = { x: field.x, y: field.y + field.height + px(14) + index * height, width: field.width, height };
      return { app, row, icon: { x: row.x + px(12), y: row.y + px(7), width: size, height: size } };
    });
    return rows.filter(({ row }) => row.y + row.height <= floor);
  }

  touch({ phase, points }: TouchEvent, layout: Layout): void {
    const at = points[0];
    this.#environment.changed();
    if (phase === 'cancel' || !at) return this.#press.cancel();
    if (phase === 'begin') {
      const result = this.#results(layout).find(({ row }) => contains(row, at));
      this.#press.begin(result ?? (contains(this.#field(layout), at) ? undefined : 'outside'), at);
    } else this.#press.move(at);
    if (phase !== 'end') return;
    const tapped = this.#press.end();
    if (tapped === 'outside') this.#host.close();
    else if (tapped) this.#host.open(tapped.app.id, tapped.icon);
  }

  paint(scene: Scene, layout: Layout, animationMs: number): void {
    const share = this.#share(animationMs);
    if (share === 0) return;
    const { theme } = this.#environment;
    scene.node({ role: 'window', name: 'Search', id: 'search', modal: true }, layout.picture, () => {
      // Nothing of the home screen may be read between the field and what was found. Not 0.9: half a step of a colour would come
      // with the very last picture, after a pause.
      scene.rect(layout.picture, colour(0x0a0c18, 0.91 * share));
      scene.within({ ...layout.picture, y: -Math.round(theme.px(40) * (1 - share)) }, () => {
        scene.node(this.#fieldFacts, this.#field(layout), () => this.#paintField(scene, layout, share));
        this.#paintResults(scene, layout, share);
      });
    });
  }

  get #fieldFacts(): NodeFacts {
    const { text: value } = this.#editor;
    const flags = { focused: this.#shown, editable: true } as const;
    return { role: 'textfield', name: 'Search apps', value, id: 'search.field', ...flags, actions: TYPE };
  }

  #paintField(scene: Scene, layout: Layout, share: number): void {
    const { px, fonts, palette, platform } = this.#environment.theme;
    const area = this.#field(layout);
    scene.round(area, px(platform === 'ios' ? 14 : 23), faded(palette.card, share));
    const middle = area.y + Math.round(area.height / 2);
    scene.symbol(symbol('search', px(20)), { x: area.x + px(26), y: middle }, faded(palette.secondary, share));
    const left = area.x + px(46);
    const base = middle + px(5.5);
    const { text, caret } = this.#editor;
    const room = area.width - px(66);
    const before = fitEnd(text.slice(0, caret), fonts.body, room);
    if (text === '') scene.text('Search apps', left, base, fonts.body, faded(palette.secondary, share));
    scene.text(fit(before + text.slice(caret), fonts.body, room), left, base, fonts.body, faded(palette.text, share));
    const x = left + Math.round(fonts.body.width(before));
    scene.rect({ x, y: middle - px(11), width: px(2), height: px(22) }, faded(palette.accent, share));
  }

  #paintResults(scene: Scene, layout: Layout, share: number): void {
    const { theme, platform } = this.#environment;
    const { px, fonts, palette } = theme;
    const results = this.#results(layout);
    const field = this.#field(layout);
    const top = field.y + field.height + px(14);
    const last = results.at(-1)?.row;
    const height = last ? last.y + last.height - top : px(54);
    const card = { ...field, y: top, height };
    scene.round(card, theme.cardRadius, faded(palette.card, share), platform === 'ios' ? 'smooth' : 'round');
    if (!last) {
      scene.label('No results', card.x + px(16), card.y + px(33), fonts.body, faded(palette.secondary, share));
    }
    const { target } = this.#press;
    for (const { app, row, icon } of results) {
      const isPressed = target !== undefined && target !== 'outside' && target.app === app;
      scene.node({ role: 'cell', name: app.name, id: `search.${app.id}`, actions: TAP }, row, () => {
        scene.sprite(appIcon(app, platform, icon.width), icon.x, icon.y, 'icon', isPressed ? 0.6 * share : share);
        const left = icon.x + icon.width + px(14);
        const name = fit(app.name, fonts.body, row.x + row.width - left - px(12));
        scene.text(name, left, row.y + px(33), fonts.body, faded(palette.text, share));
      });
    }
  }

  inspect(): Readonly<Record<string, unknown>> {
    return { text: this.#editor.text, results: this.#found().map(({ id }) => id) };
  }
}
