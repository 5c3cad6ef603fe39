import type { Point, Rect } from '../../device/driver.ts';
import type { App, TouchEvent, TouchPhase } from '../apps/app.ts';
import { contains, type Pixel, pixelOf } from '../geometry.ts';
import { type NavigationButton, navigationButtonAt } from './bars.ts';
import { panelActionAt } from './panels.ts';
import { isShade } from './shade.ts';
import type { Shell } from './shell.ts';

/** The receiver of a touch: it gets all steps until the end, wherever they are. */
type Receiver =
  | 'alert'
  | 'banner'
  | 'shade'
  | 'panel'
  | 'lock'
  | 'keyboard'
  | 'navigation'
  | 'switcher'
  | 'search'
  | 'home'
  | 'app';

/** Routes each touch to the part of the screen where it began. */
export class TouchRouter {
  readonly #shell: Shell;
  #receiver: Receiver | undefined;
  #app: App | undefined;
  #button: NavigationButton | undefined;
  #from: Pixel = { x: 0, y: 0 };
  #down: readonly Pixel[] = [];

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  /** Pointers that are down, in pixels of the picture. */
  get down(): readonly Pixel[] {
    return this.#down;
  }

  /** The button of the navigation bar under a finger. */
  get pressedButton(): NavigationButton | undefined {
    return this.#button;
  }

  touch(phase: TouchPhase, points: readonly Point[]): void {
    const { state, environment } = this.#shell;
    if (!state.screenOn) return;
    if (this.#receiver === 'app' && this.#app !== this.#shell.front) this.cancel();
    const pixels = points.map((point) => pixelOf(point, state.size));
    const atMs = environment.nowMs();
    if (phase !== 'move') environment.log('touch', { phase, points: pixels }, atMs);
    if (phase === 'begin' && this.#receiver === undefined) this.#begin(pixels);
    this.#down = phase === 'end' || phase === 'cancel' ? [] : pixels;
    const receiver = this.#receiver;
    if (phase === 'end' || phase === 'cancel') this.#receiver = undefined;
    if (receiver) this.#deliver(receiver, { phase, points: pixels, atMs });
  }

  /** Ends the touch without an effect: after a cancel, a rotation, or when the screen goes off. */
  cancel(): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    this.#button = undefined;
    this.#down = [];
    if (receiver === undefined) return;
    const { environment } = this.#shell;
    const event: TouchEvent = { phase: 'cancel', points: [], atMs: environment.nowMs() };
    environment.log('touch', { phase: 'cancel', points: [] }, event.atMs);
    // An app that is no longer in front is told, too; otherwise it would wait for the end of the touch forever.
    if (receiver === 'app') this.#app?.touch(event);
    else this.#deliver(receiver, event);
  }

  #begin(pixels: readonly Pixel[]): void {
    const at = pixels[0];
    if (!at) return;
    this.#from = at;
    this.#app = this.#shell.front;
    this.#receiver = this.#receiverAt(at);
    if (this.#receiver === 'navigation') this.#button = navigationButtonAt(this.#shell.layout.navigationBar, at);
  }

  #receiverAt(at: Pixel): Receiver {
    const { state, layout, front, environment, alerts, banner, search } = this.#shell;
    if (alerts.shown) return 'alert';
    if (banner.covers(at, layout)) return 'banner';
    if (isShade(state.overlay)) return 'shade';
    if (state.overlay) return 'panel';
    if (state.locked) return 'lock';
    if (layout.keyboard && contains(layout.keyboard, at)) return 'keyboard';
    if (front?.immersive) return 'app';
    if (contains(layout.statusBar, at)) return 'shade';
    if (contains(layout.navigationBar, at)) {
      const button = navigationButtonAt(layout.navigationBar, at);
      if (environment.platform === 'ios' || button) return 'navigation';
    }
    if (state.foreground === 'switcher') return 'switcher';
    if (front) return 'app';
    return search.shown ? 'search' : 'home';
  }

  #deliver(receiver: Receiver, event: TouchEvent): void {
    const { layout, front, environment } = this.#shell;
    switch (receiver) {
      case 'alert':
        return this.#shell.alerts.touch(event, layout);
      case 'banner':
        return this.#shell.banner.touch(event);
      case 'shade':
        return this.#shell.shade.touch(event, layout);
      case 'panel':
        return this.#panel(event);
      case 'lock':
        return this.#shell.lock.touch(event);
      case 'keyboard':
        if (layout.keyboard) this.#shell.keyboard.touch(event, layout.keyboard);
        return;
      case 'navigation':
        this.#navigate(event);
        return environment.changed();
      case 'switcher':
        return this.#shell.switcher.touch(event, layout);
      case 'search':
        return this.#shell.search.touch(event, layout);
      case 'home':
        return this.#shell.home.touch(event, layout);
      case 'app':
        return front?.touch(within(event, layout.viewport));
    }
  }

  #panel({ phase, points }: TouchEvent): void {
    const { state, layout, environment } = this.#shell;
    const at = points[0];
    if (phase !== 'end' || !at || !state.overlay || isShade(state.overlay)) return;
    this.#shell.act(panelActionAt(state.overlay, environment, layout, at));
  }

  #navigate({ phase, points }: TouchEvent): void {
    const { layout, environment } = this.#shell;
    const at = points[0];
    if (environment.platform === 'ios') {
      const up = at ? this.#from.y - at.y : 0;
      if (phase === 'end' && up > environment.theme.px(60)) this.#shell.goHome();
      return;
    }
    const button = this.#button;
    const still = at !== undefined && navigationButtonAt(layout.navigationBar, at) === button;
    if (!still || phase === 'end' || phase === 'cancel') this.#button = undefined;
    if (phase !== 'end' || !still) return;
    if (button === 'back') this.#shell.back();
    else if (button === 'home') this.#shell.goHome();
    else if (button === 'recents') this.#shell.toggleSwitcher();
  }
}

function within({ phase, points, atMs }: TouchEvent, { x, y }: Rect): TouchEvent {
  return { phase, atMs, points: points.map((point) => ({ x: point.x - x, y: point.y - y })) };
}
