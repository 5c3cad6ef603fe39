import type { Rect } from '../../device/driver.ts';
import type { TouchEvent } from '../apps/app.ts';
import { Press } from '../apps/press.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment, OverlayName, PhoneState, ShadeName } from '../environment.ts';
import { clamp, contains, type Pixel } from '../geometry.ts';
import { Glide } from '../glide.ts';
import { VOLUME_MAX } from './hud.ts';
import type { Layout } from './layout.ts';
import { type ShadeAction, shadeActionAt, shadeLayout } from './shade-layout.ts';
import { paintShade } from './shade-view.ts';

const SETTLE_MS = 300;
/** A finger that has pulled by less, in points, lets the shade go back. */
const PULL_POINTS = 60;

/** The functions of the system that the shade uses. */
export interface ShadeHost {
  open(kind: ShadeName): void;
  dismiss(): void;
  act(action: ShadeAction): void;
}

interface Drag {
  readonly from: Pixel;
  /** How far it was down when the finger came. */
  readonly share: number;
  /** The slider that the finger holds. */
  readonly slider: Rect | undefined;
  at: Pixel;
}

export const isShade = (overlay: OverlayName | undefined): overlay is ShadeName =>
  overlay === 'notifications' || overlay === 'controlCentre';

/**
 * What is pulled from the top of the picture: the notifications, and on iOS from the right the control centre, which Android
 * has above its notifications. It follows the finger.
 */
export class Shade {
  readonly #environment: Environment;
  readonly #state: PhoneState;
  readonly #host: ShadeHost;
  /** From 0, which is away, to 1. */
  readonly #share: Glide;
  readonly #press: Press<ShadeAction | 'outside'>;
  #kind: ShadeName = 'notifications';
  #drag: Drag | undefined;

  constructor(environment: Environment, state: PhoneState, host: ShadeHost) {
    this.#environment = environment;
    this.#state = state;
    this.#host = host;
    this.#share = new Glide(environment, SETTLE_MS);
    this.#press = new Press(environment.theme.px(10));
  }

  /** Moves to where it belongs for the overlay that is in force. */
  follow(overlay: OverlayName | undefined): void {
    const share = this.#shareAt(this.#environment.animationMs());
    this.#drag = undefined;
    if (isShade(overlay)) this.#kind = overlay;
    this.#share.moveFrom(share, isShade(overlay) ? 1 : 0);
  }

  /** Is where it belongs for an overlay, without a motion. */
  restore(overlay: OverlayName | undefined): void {
    this.#drag = undefined;
    this.#press.cancel();
    if (isShade(overlay)) this.#kind = overlay;
    this.#share.jumpTo(isShade(overlay) ? 1 : 0);
  }

  isMoving(animationMs: number): boolean {
    return this.#share.isMoving(animationMs);
  }

  /** True if it darkens the picture so far that it has a status bar of its own, in light ink. */
  hasStatusBar(animationMs: number): boolean {
    return this.#kind === 'controlCentre' && this.#shareAt(animationMs) > 0.5;
  }

  touch({ phase, points }: TouchEvent, layout: Layout): void {
    const at = points[0];
    this.#environment.changed();
    if (phase === 'begin' && at) this.#begin(at, layout);
    const drag = this.#drag;
    if (!drag) return;
    if (at) {
      drag.at = at;
      this.#press.move(at);
      this.#slide(drag);
    }
    if (phase === 'cancel') this.#press.cancel();
    if (phase === 'end' || phase === 'cancel') this.#finish(drag, phase === 'end');
  }

  #begin(at: Pixel, layout: Layout): void {
    const isOpen = isShade(this.#state.overlay);
    const right = at.x > layout.picture.width * 0.6;
    if (!isOpen) this.#kind = right && this.#environment.platform === 'ios' ? 'controlCentre' : 'notifications';
    const places = shadeLayout(this.#kind, this.#environment, layout);
    const slider = isOpen && places.slider && contains(places.slider, at) ? places.slider : undefined;
    this.#drag = { from: at, at, share: this.#shareAt(this.#environment.animationMs()), slider };
    this.#press.begin(isOpen && !slider ? (shadeActionAt(places, this.#environment, at) ?? 'outside') : undefined, at);
  }

  #slide({ slider, at }: Drag): void {
    if (!slider) return;
    const upright = slider.height > slider.width;
    const part = upright ? 1 - (at.y - slider.y) / slider.height : (at.x - slider.x) / slider.width;
    this.#state.volume = clamp(Math.round(part * VOLUME_MAX), 0, VOLUME_MAX);
  }

  #finish({ from, at, slider }: Drag, isEnd: boolean): void {
    const wasOpen = isShade(this.#state.overlay);
    const pulled = slider || !isEnd ? 0 : at.y - from.y;
    const enough = this.#environment.theme.px(PULL_POINTS);
    const tapped = this.#press.end();
    if (!wasOpen && pulled >= enough) return this.#host.open(this.#kind);
    if (wasOpen && (pulled <= -enough || (isEnd && tapped === 'outside'))) return this.#host.dismiss();
    // Neither far enough nor a tap: it goes back to where it was.
    this.follow(this.#state.overlay);
    if (isEnd && tapped && tapped !== 'outside') this.#host.act(tapped);
  }

  #shareAt(animationMs: number): number {
    const drag = this.#drag;
    if (!drag || drag.slider) return this.#share.at(animationMs);
    const { height } = this.#state.size;
    return clamp(drag.share + (drag.at.y - drag.from.y) / height, 0, 1);
  }

  paint(scene: Scene, layout: Layout, animationMs: number): void {
    paintShade(scene, this.#kind, this.#environment, layout, this.#shareAt(animationMs));
  }
}
