import type { Rect } from '../../device/driver.ts';
import type { App, AppDefinition, TouchEvent } from '../apps/app.ts';
import { appIcon } from '../art/app-icons.ts';
import { wallpaper } from '../art/wallpaper.ts';
import { colour } from '../draw/colour.ts';
import type { Command } from '../draw/command.ts';
import type { Scene } from '../draw/scene.ts';
import type { Sprite } from '../draw/sprite.ts';
import { thumbnail } from '../draw/thumbnail.ts';
import type { Environment } from '../environment.ts';
import { clamp, contains, type Pixel } from '../geometry.ts';
import { fit } from '../text/fit.ts';
import type { Layout } from './layout.ts';

/** The functions of the system that the switcher uses. */
export interface SwitcherHost {
  /** Running apps, most recently used first. */
  running(): readonly App[];
  definition(app: string): AppDefinition | undefined;
  /** The whole picture of an app at a moment of the animation time. */
  paintApp(app: App, animationMs: number): readonly Command[];
  open(app: string, from: Rect): void;
  closeApp(app: string): void;
  goHome(): void;
}

interface Drag {
  readonly from: Pixel;
  readonly scroll: number;
  readonly card: string | undefined;
  at: Pixel;
}

const WHITE = colour(0xffffff);

/** Cards of the running apps. A tap opens an app; a swipe upwards closes it. */
export class Switcher {
  readonly #environment: Environment;
  readonly #host: SwitcherHost;
  /** Each app's picture when the switcher was opened. It is scaled down when its card is first visible. */
  readonly #snapshots = new Map<string, readonly Command[]>();
  readonly #thumbnails = new Map<string, Sprite>();
  #scroll = 0;
  #drag: Drag | undefined;

  constructor(environment: Environment, host: SwitcherHost) {
    this.#environment = environment;
    this.#host = host;
  }

  /** Puts the newest card in the middle, when the switcher opens and after a rotation, which changes all cards. */
  reset(): void {
    this.#scroll = 0;
    this.#drag = undefined;
    this.#thumbnails.clear();
    this.#snapshots.clear();
    const nowMs = this.#environment.animationMs();
    for (const app of this.#host.running()) this.#snapshots.set(app.id, this.#host.paintApp(app, nowMs));
  }

  cards(layout: Layout): readonly { readonly app: App; readonly area: Rect }[] {
    const { px } = this.#environment.theme;
    const { picture, turned } = layout;
    const height = Math.round(picture.height * (turned ? 0.6 : 0.64));
    const width = Math.round((height * picture.width) / picture.height);
    const step = width + px(18);
    const y = Math.round((picture.height - height) / 2) + px(14);
    return this.#host.running().map((app, index) => {
      const x = Math.round((picture.width - width) / 2) - index * step + this.#scroll;
      const lift = this.#drag?.card === app.id ? Math.min(0, this.#lift(this.#drag)) : 0;
      return { app, area: { x, y: y + lift, width, height } };
    });
  }

  /** The distance by which a card follows the finger upwards. */
  #lift({ from, at }: Drag): number {
    return Math.abs(at.y - from.y) > Math.abs(at.x - from.x) ? at.y - from.y : 0;
  }

  touch({ phase, points }: TouchEvent, layout: Layout): void {
    const at = points[0];
    this.#environment.changed();
    if (phase === 'cancel' || !at) {
      this.#drag = undefined;
      return;
    }
    if (phase === 'begin') {
      const card = this.cards(layout).find(({ area }) => contains(area, at))?.app.id;
      this.#drag = { from: at, at, scroll: this.#scroll, card };
    }
    if (!this.#drag) return;
    this.#drag.at = at;
    this.#follow(this.#drag, layout);
    if (phase === 'end') this.#finish(this.#drag, layout);
  }

  #step(layout: Layout): number {
    const [first, second] = this.cards(layout);
    return first && second ? first.area.x - second.area.x : 1;
  }

  #follow({ from, at, scroll }: Drag, layout: Layout): void {
    if (Math.abs(at.x - from.x) < Math.abs(at.y - from.y)) return;
    const limit = this.#step(layout) * Math.max(0, this.#host.running().length - 1);
    this.#scroll = clamp(scroll + at.x - from.x, 0, limit);
  }

  #finish(drag: Drag, layout: Layout): void {
    const { px } = this.#environment.theme;
    const lift = this.#lift(drag);
    const still = Math.hypot(drag.at.x - drag.from.x, drag.at.y - drag.from.y) <= px(12);
    const card = this.cards(layout).find(({ app }) => app.id === drag.card);
    this.#drag = undefined;
    if (still) return card ? this.#host.open(card.app.id, card.area) : this.#host.goHome();
    if (card && lift < -px(90)) this.#host.closeApp(card.app.id);
    const step = this.#step(layout);
    const last = Math.max(0, this.#host.running().length - 1);
    this.#scroll = step * clamp(Math.round(this.#scroll / step), 0, last);
  }

  paint(scene: Scene, layout: Layout): void {
    const { theme, platform } = this.#environment;
    const { px, fonts } = theme;
    const { width, height } = layout.picture;
    scene.sprite(wallpaper(platform, width, height), 0, 0);
    scene.rect(layout.picture, colour(0x0a0c18, 0.5));
    const cards = this.cards(layout);
    if (cards.length === 0) scene.text('No recent apps', width / 2, height / 2, fonts.heading, WHITE, 'centre');
    for (const { app, area } of cards) {
      if (area.x > width || area.x + area.width < 0) continue;
      scene.shadow(area, px(16), px(6), colour(0x000000, 0.35));
      scene.sprite(this.#thumbnail(app, area, layout), area.x, area.y);
      this.#paintTitle(scene, app, area);
    }
  }

  #paintTitle(scene: Scene, app: App, area: Rect): void {
    const { theme, platform } = this.#environment;
    const { px, fonts } = theme;
    const size = px(28);
    const definition = this.#host.definition(app.id);
    if (!definition) return;
    const name = fit(definition.name, fonts.label, area.width - size - px(9));
    const width = size + px(9) + Math.ceil(fonts.label.width(name));
    const x = platform === 'ios' ? area.x + px(8) : area.x + Math.round((area.width - width) / 2);
    const y = area.y - size - px(9);
    scene.sprite(appIcon(definition, platform, size), x, y, 'icon');
    scene.text(name, x + size + px(9), y + size / 2 + px(5), fonts.label, WHITE);
  }

  #thumbnail(app: App, area: Rect, { picture }: Layout): Sprite {
    const known = this.#thumbnails.get(app.id);
    if (known) return known;
    const commands = this.#snapshots.get(app.id) ?? [];
    const { px } = this.#environment.theme;
    const { width, height } = area;
    const made = thumbnail(commands, picture.width, picture.height, { width, height, radius: px(24) });
    this.#thumbnails.set(app.id, made);
    return made;
  }

  inspect(): Readonly<Record<string, unknown>> {
    return { cards: this.#host.running().map((app) => app.id) };
  }
}
