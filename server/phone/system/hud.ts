import { type SymbolName, symbol } from '../art/symbols.ts';
import { colour, faded } from '../draw/colour.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import type { Timers } from '../timers.ts';
import type { Layout } from './layout.ts';

const SHOWN_MS = 1500;
const BANNER_MS = 2000;
const FADE_MS = 180;

export const VOLUME_MAX = 16;

export type Notice = 'volume' | 'silent' | 'memory';

/** Short notices above everything else. Each stays for a moment after the last request to show it, then fades out. */
export class Hud {
  readonly #environment: Environment;
  readonly #timers: Timers;
  /** Start of the fade-out of each notice, in animation time; `undefined` while it stays. */
  readonly #shown = new Map<Notice, number | undefined>();

  constructor(environment: Environment, timers: Timers) {
    this.#environment = environment;
    this.#timers = timers;
  }

  show(notice: Notice): void {
    this.#shown.set(notice, undefined);
    this.#timers.set(`hud ${notice}`, notice === 'memory' ? BANNER_MS : SHOWN_MS, () => {
      this.#shown.set(notice, this.#environment.animationMs());
      this.#environment.changed();
    });
    this.#environment.changed();
  }

  /** Shows nothing any more. */
  clear(): void {
    for (const notice of this.#shown.keys()) this.#timers.clear(`hud ${notice}`);
    this.#shown.clear();
  }

  animating(animationMs: number): boolean {
    return [...this.#shown.values()].some((since) => since !== undefined && animationMs - since < FADE_MS);
  }

  paint(scene: Scene, layout: Layout, animationMs: number): void {
    for (const [notice, since] of this.#shown) {
      const strength = since === undefined ? 1 : 1 - (animationMs - since) / FADE_MS;
      if (strength <= 0) continue;
      if (notice === 'volume') this.#paintVolume(scene, layout, strength);
      else this.#paintBanner(scene, layout, notice, strength);
    }
  }

  #paintVolume(scene: Scene, layout: Layout, strength: number): void {
    const { theme, platform, state } = this.#environment;
    const { px, palette } = theme;
    const ios = platform === 'ios';
    const { width, height } = layout.picture;
    const bar = { width: ios ? px(34) : px(44), height: layout.turned ? px(140) : px(170) };
    const y = Math.round(height * (ios && !layout.turned ? 0.22 : 0.3));
    const area = { x: ios ? px(14) : width - px(14) - bar.width, y, ...bar };
    const value = `${state.volume} of ${VOLUME_MAX}`;
    scene.node({ role: 'other', name: 'Volume', value, id: 'system.volume' }, area);
    scene.shadow(area, px(10), px(3), faded(colour(0x000000, 0.2), strength));
    scene.round(area, px(ios ? 14 : 22), faded(ios ? colour(0x3a3a3f) : palette.pressed, strength));
    const level = Math.round((area.height * state.volume) / VOLUME_MAX);
    scene.within({ ...area, y: area.y + area.height - level, height: level }, () => {
      const filled = { x: 0, y: level - area.height, width: area.width, height: area.height };
      scene.round(filled, px(ios ? 14 : 22), faded(ios ? colour(0xffffff) : palette.accent, strength));
    });
    const ink = ios ? colour(0x8a8a90) : state.volume > 2 ? palette.card : palette.accent;
    const middle = { x: area.x + Math.round(area.width / 2), y: area.y + area.height - px(20) };
    scene.symbol(symbol('speaker', px(18)), middle, faded(ink, strength));
  }

  #paintBanner(scene: Scene, layout: Layout, notice: 'silent' | 'memory', strength: number): void {
    const { theme, state } = this.#environment;
    const { px, fonts, palette } = theme;
    const [name, text]: readonly [SymbolName, string] =
      notice === 'memory'
        ? ['warning', 'Memory warning']
        : [state.silent ? 'bellOff' : 'bell', state.silent ? 'Silent mode on' : 'Silent mode off'];
    const width = Math.ceil(fonts.label.width(text)) + px(64);
    const height = px(46);
    const x = Math.round((layout.picture.width - width) / 2);
    const area = { x, y: layout.statusBar.height + px(notice === 'memory' ? 6 : 60), width, height };
    scene.node({ role: 'text', name: text, id: 'system.notice' }, area);
    scene.shadow(area, px(14), px(4), faded(palette.shadow, strength));
    scene.round(area, px(23), faded(colour(0x26262b), strength));
    const ink = faded(colour(notice === 'memory' ? 0xffc83d : 0xffffff), strength);
    scene.symbol(symbol(name, px(20)), { x: x + px(27), y: area.y + px(23) }, ink);
    scene.text(text, x + px(44), area.y + px(28), fonts.label, faded(colour(0xffffff), strength));
  }
}
