import type { Rect } from '../../device/driver.ts';
import type { App, AppDefinition, TouchEvent } from '../apps/app.ts';
import { appIcon } from '../art/app-icons.ts';
import { wallpaper } from '../art/wallpaper.ts';
import { colour, faded } from '../draw/colour.ts';
import { type Command, sameCommand } from '../draw/command.ts';
import { TAP } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import type { Sprite } from '../draw/sprite.ts';
import { thumbnail } from '../draw/thumbnail.ts';
import type { Environment } from '../environment.ts';
import { clamp, contains, inset, type Pixel } from '../geometry.ts';
import { done, Glide, underWay } from '../glide.ts';
import { fit } from '../text/fit.ts';
import type { Timers } from '../timers.ts';
import type { Layout } from './layout.ts';
import type { Pose } from './transition.ts';

/** The functions of the system that the switcher uses. */
export interface SwitcherHost {
  layout(): Layout;
  /** The app in front, if one is. */
  front(): App | undefined;
  /** Running apps, most recently used first. */
  running(): readonly App[];
  definition(app: string): AppDefinition | undefined;
  /** The whole picture of an app at a moment of the animation time. */
  paintApp(app: App, animationMs: number): readonly Command[];
  open(app: string, from: Rect): void;
  closeApp(app: string): void;
  goHome(): void;
  /** The whole picture of the home screen. */
  paintHome(): readonly Command[];
}

interface Card {
  readonly app: App;
  readonly area: Rect;
}

/** A card's picture, and what it was drawn from. */
interface Thumbnail {
  readonly commands: readonly Command[];
  readonly sprite: Sprite;
}

/** A card that was thrown away and is on its way out of the picture. */
interface Thrown extends Card {
  readonly startMs: number;
}

interface Drag {
  readonly from: Pixel;
  readonly scroll: number;
  readonly card: string | undefined;
  at: Pixel;
}

const WHITE = colour(0xffffff);
/** Time in which cards come and go, and settle where they belong. */
const MOTION_MS = 300;
const AHEAD = 'cards ahead';
/** Longer than an app is on its way out of the picture. */
const AHEAD_MS = 500;
/** Cards that are seen when it comes. */
const SEEN_FIRST = 2;

/** Cards of the running apps. A tap opens an app; a swipe upwards closes it. */
export class Switcher {
  readonly #environment: Environment;
  readonly #timers: Timers;
  readonly #host: SwitcherHost;
  /** Each app's picture when the switcher was opened. It is scaled down when its card is first visible. */
  readonly #snapshots = new Map<string, readonly Command[]>();
  readonly #thumbnails = new Map<string, Thumbnail>();
  /** From 0, which is away, to 1. */
  readonly #presence: Glide;
  /** Whether the home screen is what it came from or goes to, so that it is seen below the cards that come and go. */
  #overHome = false;
  #scroll = 0;
  #drag: Drag | undefined;
  /** How far cards are from where they belong, when they began to go there. */
  #shifts: ReadonlyMap<string, Pixel> = new Map();
  #shiftedMs = Number.NEGATIVE_INFINITY;
  #thrown: Thrown | undefined;

  constructor(environment: Environment, timers: Timers, host: SwitcherHost) {
    this.#environment = environment;
    this.#timers = timers;
    this.#host = host;
    this.#presence = new Glide(environment, MOTION_MS);
  }

  /** @param overHome whether it comes over the home screen, or leaves it behind */
  come(overHome: boolean): void {
    this.#timers.clear(AHEAD);
    this.reset();
    this.#overHome = overHome;
    this.#presence.moveFrom(0, 1);
  }

  go(overHome: boolean): void {
    this.#overHome = overHome;
    this.#drag = undefined;
    this.#presence.moveTo(0);
  }

  isMoving(animationMs: number): boolean {
    const isOut = this.#thrown && underWay(this.#environment, this.#thrown.startMs, MOTION_MS, animationMs);
    const isSettling = this.#shifts.size > 0 && underWay(this.#environment, this.#shiftedMs, MOTION_MS, animationMs);
    return this.#presence.isMoving(animationMs) || isSettling || (isOut ?? false);
  }

  /** Puts the newest card in the middle, when the switcher opens and after a rotation, which changes all cards. */
  reset(): void {
    this.#scroll = 0;
    this.#drag = undefined;
    this.#shifts = new Map();
    this.#thrown = undefined;
    this.#keepNewest();
    this.#snapshots.clear();
    const nowMs = this.#environment.animationMs();
    for (const app of this.#host.running()) this.#snapshots.set(app.id, this.#host.paintApp(app, nowMs));
  }

  /** How far its cards are scrolled, in pixels. */
  get scroll(): number {
    return this.#scroll;
  }

  /** Draws its cards anew, where they are. */
  renew(): void {
    const scroll = this.#scroll;
    this.reset();
    this.#scroll = scroll;
    this.#environment.changed();
  }

  /** Is there, or away, without a motion. */
  restore(shown: boolean, scroll: number): void {
    this.#timers.clear(AHEAD);
    this.reset();
    this.#scroll = clamp(scroll, 0, this.#step(this.#host.layout()) * Math.max(0, this.#host.running().length - 1));
    this.#overHome = false;
    this.#presence.jumpTo(shown ? 1 : 0);
  }

  /** An app leaves the front. Its card is drawn once the app is out of sight, so that the switcher's first picture is on time. */
  expect(): void {
    if (this.#environment.state.animations) this.#timers.set(AHEAD, AHEAD_MS, () => this.#drawAhead());
  }

  #drawAhead(): void {
    this.#keepNewest();
    const nowMs = this.#environment.animationMs();
    for (const { app, area } of this.cards(this.#host.layout()).slice(0, SEEN_FIRST)) {
      if (app !== this.#host.front()) this.#thumbnail(app.id, this.#host.paintApp(app, nowMs), area);
    }
  }

  /** Forgets the other cards: each is as large as half a picture. */
  #keepNewest(): void {
    const newest = this.#host.running().slice(0, SEEN_FIRST);
    for (const id of this.#thumbnails.keys()) {
      if (!newest.some((app) => app.id === id)) this.#thumbnails.delete(id);
    }
  }

  /** The cards where they belong, the lifted one under its finger. */
  cards(layout: Layout): readonly Card[] {
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

  /** Where an app's card belongs, for the app that becomes it or comes out of it. */
  pose(app: App, layout: Layout): Pose | undefined {
    const area = this.cards(layout).find((card) => card.app === app)?.area;
    return area && { area, radius: this.#environment.theme.px(24), alpha: 1 };
  }

  /** The cards where they are at a moment of the animation time. */
  #cardsAt(layout: Layout, animationMs: number): readonly Card[] {
    const rest = 1 - done(this.#environment, this.#shiftedMs, MOTION_MS, animationMs);
    return this.cards(layout).map(({ app, area }) => {
      const shift = this.#shifts.get(app.id) ?? { x: 0, y: 0 };
      return { app, area: { ...area, x: area.x + Math.round(shift.x * rest), y: area.y + Math.round(shift.y * rest) } };
    });
  }

  /** Lets the cards go from where they were to where they belong now. */
  #settle(before: readonly Card[], layout: Layout): void {
    const shifts = this.cards(layout).map(({ app, area }): [string, Pixel] => {
      const was = before.find((card) => card.app === app)?.area ?? area;
      return [app.id, { x: was.x - area.x, y: was.y - area.y }];
    });
    this.#shifts = new Map(shifts.filter(([, { x, y }]) => x !== 0 || y !== 0));
    this.#shiftedMs = this.#environment.animationMs();
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
    const nowMs = this.#environment.animationMs();
    const before = this.#cardsAt(layout, nowMs);
    const card = before.find(({ app }) => app.id === drag.card);
    this.#drag = undefined;
    if (still) return card ? this.#host.open(card.app.id, card.area) : this.#host.goHome();
    if (card && lift < -px(90)) {
      this.#thrown = { ...card, startMs: nowMs };
      this.#host.closeApp(card.app.id);
    }
    const step = this.#step(layout);
    const last = Math.max(0, this.#host.running().length - 1);
    this.#scroll = step * clamp(Math.round(this.#scroll / step), 0, last);
    this.#settle(before, layout);
  }

  /** @param moving the app that is on its way to its card, or from it, and is drawn by the one who moves it */
  paint(scene: Scene, layout: Layout, animationMs: number, moving?: App): void {
    const facts = { role: 'window', name: 'App switcher', id: 'switcher', actions: ['scroll'], modal: true } as const;
    scene.node(facts, layout.picture, () => this.#paintWhole(scene, layout, animationMs, moving));
  }

  #paintWhole(scene: Scene, layout: Layout, animationMs: number, moving?: App): void {
    const { theme } = this.#environment;
    const { width, height } = layout.picture;
    const share = this.#presence.at(animationMs);
    const seen = this.#overHome ? share : 1;
    if (seen < 1) scene.layer({ commands: this.#host.paintHome(), width, height, radius: 0 }, layout.picture, 1);
    scene.sprite(wallpaper(theme, width, height, true), 0, 0, 'image', seen);
    const cards = this.#cardsAt(layout, animationMs);
    if (cards.length === 0) {
      scene.label('No recent apps', width / 2, height / 2, theme.fonts.heading, faded(WHITE, share), 'centre');
    }
    const back = Math.round((1 - share) * theme.px(70));
    for (const { app, area } of cards)
      this.#paintCard(scene, app, { ...area, x: area.x - back }, layout, share, app !== moving);
    const thrown = this.#thrown;
    if (!thrown || !underWay(this.#environment, thrown.startMs, MOTION_MS, animationMs)) return;
    const way = done(this.#environment, thrown.startMs, MOTION_MS, animationMs);
    const { area } = thrown;
    const y = area.y - Math.round((area.y + area.height + theme.px(40)) * way);
    this.#paintCard(scene, thrown.app, { ...area, y }, layout, share, true);
  }

  #paintCard(scene: Scene, app: App, area: Rect, layout: Layout, strength: number, withPicture: boolean): void {
    const name = this.#host.definition(app.id)?.name;
    scene.node({ role: 'cell', name, id: `switcher.${app.id}`, actions: TAP }, area, () => {
      if (area.x > layout.picture.width || area.x + area.width < 0 || strength === 0) return;
      const { px } = this.#environment.theme;
      if (withPicture) {
        const shadow = faded(colour(0x000000, 0.35), strength);
        scene.shadowAround(area, px(16), px(6), shadow, inset(area, px(24)));
        const picture = this.#thumbnail(app.id, this.#snapshots.get(app.id) ?? [], area);
        scene.sprite(picture, area.x, area.y, 'image', strength);
      }
      this.#paintTitle(scene, app, area, strength);
    });
  }

  #paintTitle(scene: Scene, app: App, area: Rect, strength: number): void {
    const { theme, platform } = this.#environment;
    const { px, fonts } = theme;
    const size = px(28);
    const definition = this.#host.definition(app.id);
    if (!definition) return;
    const name = fit(definition.name, fonts.label, area.width - size - px(9));
    const width = size + px(9) + Math.ceil(fonts.label.width(name));
    const x = platform === 'ios' ? area.x + px(8) : area.x + Math.round((area.width - width) / 2);
    const y = area.y - size - px(9);
    scene.sprite(appIcon(definition, platform, size), x, y, 'icon', strength);
    scene.text(name, x + size + px(9), y + size / 2 + px(5), fonts.label, faded(WHITE, strength));
  }

  #thumbnail(app: string, commands: readonly Command[], { width, height }: Rect): Sprite {
    const known = this.#thumbnails.get(app);
    const isSame = known?.sprite.width === width && known.sprite.height === height;
    if (isSame && samePicture(known.commands, commands)) return known.sprite;
    const { theme, state } = this.#environment;
    const target = { width, height, radius: theme.px(24) };
    const sprite = thumbnail(commands, state.size.width, state.size.height, target);
    this.#thumbnails.set(app, { commands, sprite });
    return sprite;
  }

  inspect(): Readonly<Record<string, unknown>> {
    return { cards: this.#host.running().map((app) => app.id) };
  }
}

function samePicture(one: readonly Command[], other: readonly Command[]): boolean {
  if (one === other) return true;
  return one.length === other.length && one.every((command, index) => sameCommand(command, other[index] ?? command));
}
