import type { Rect } from '../../device/driver.ts';
import type { TouchEvent } from '../apps/app.ts';
import { Press } from '../apps/press.ts';
import { colour, faded } from '../draw/colour.ts';
import { TAP } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment, Notice } from '../environment.ts';
import { contains, type Pixel } from '../geometry.ts';
import { Glide } from '../glide.ts';
import { fit } from '../text/fit.ts';
import type { Timers } from '../timers.ts';
import type { Layout } from './layout.ts';

const SHOWN_MS = 5_000;
const SLIDE_MS = 300;
/** A finger that goes up by more, in points, sends it away. */
const AWAY_POINTS = 20;

/** The notification that has just come, at the top of the picture for a moment. A tap opens its app, a swipe up sends it away. */
export class Banner {
  readonly #environment: Environment;
  readonly #timers: Timers;
  readonly #opened: (notice: Notice) => void;
  readonly #press: Press<Notice>;
  /** From 0, where it is above the picture, to 1. */
  readonly #share: Glide;
  /** What is shown, also on its way out. */
  #notice: Notice | undefined;
  #from: Pixel | undefined;

  /** @param opened called with the notification that the user has tapped */
  constructor(environment: Environment, timers: Timers, opened: (notice: Notice) => void) {
    this.#environment = environment;
    this.#timers = timers;
    this.#opened = opened;
    this.#press = new Press(environment.theme.px(10));
    this.#share = new Glide(environment, SLIDE_MS);
  }

  show(notice: Notice): void {
    this.#notice = notice;
    this.#press.cancel();
    this.#share.moveFrom(0, 1);
    this.#timers.set('banner', SHOWN_MS, () => this.#leave());
    this.#environment.changed();
  }

  /** Shows nothing any more, without a motion. */
  clear(): void {
    this.#timers.clear('banner');
    this.#press.cancel();
    this.#from = undefined;
    this.#share.jumpTo(0);
    this.#notice = undefined;
  }

  /** The app is there no longer. */
  forget(app: string): void {
    if (this.#notice?.app === app) this.clear();
  }

  isMoving(animationMs: number): boolean {
    return this.#share.isMoving(animationMs);
  }

  /** Whether a finger there is on it. */
  covers(at: Pixel, layout: Layout): boolean {
    return this.#share.end === 1 && contains(this.#area(layout), at);
  }

  touch({ phase, points }: TouchEvent): void {
    const at = points[0];
    this.#environment.changed();
    if (phase === 'begin' && at) {
      this.#from = at;
      this.#press.begin(this.#notice, at);
    } else if (at) this.#press.move(at);
    if (phase !== 'end' && phase !== 'cancel') return;
    const up = at && this.#from ? this.#from.y - at.y : 0;
    this.#from = undefined;
    if (phase === 'cancel') return this.#press.cancel();
    const tapped = this.#press.end();
    if (up > this.#environment.theme.px(AWAY_POINTS)) return this.#leave();
    if (!tapped) return;
    this.#leave();
    this.#opened(tapped);
  }

  #leave(): void {
    this.#timers.clear('banner');
    this.#share.moveTo(0);
    this.#environment.changed();
  }

  #area({ picture, statusBar }: Layout): Rect {
    const { px } = this.#environment.theme;
    const width = Math.min(picture.width - px(16), px(420));
    return { x: Math.round((picture.width - width) / 2), y: statusBar.height + px(4), width, height: px(72) };
  }

  paint(scene: Scene, layout: Layout, animationMs: number): void {
    const share = this.#share.at(animationMs);
    if (!this.#notice || share <= 0) return;
    const { title, text } = this.#notice;
    const { px, fonts, palette } = this.#environment.theme;
    const place = this.#area(layout);
    const area = { ...place, y: Math.round(place.y - (place.y + place.height) * (1 - share)) };
    scene.shadow(area, px(16), px(6), faded(colour(0x000000, 0.28), share));
    scene.node({ role: 'button', name: title, value: text, id: 'system.banner', actions: TAP }, area, () => {
      scene.round(area, px(20), palette.card, 'smooth');
      const [left, room] = [area.x + px(18), area.width - px(36)];
      scene.text(fit(title, fonts.strong, room), left, area.y + px(31), fonts.strong, palette.text);
      scene.text(fit(text, fonts.caption, room), left, area.y + px(53), fonts.caption, palette.text);
    });
  }
}
