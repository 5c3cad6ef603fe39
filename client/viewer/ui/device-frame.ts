import type { Orientation, Platform, Point } from '@runcloud/protocol';
import { element } from '../../page/element.ts';
import { DEGREES } from '../input/rotation.ts';

/** Shares of the picture's short edge. */
const BEZEL = 0.032;
const CORNER: Readonly<Record<Platform, number>> = { ios: 0.115, android: 0.075 };
const TURN_MS = 280;
/** A picture is never shown larger than this many CSS pixels to each of its own. */
const ZOOM_MAX = 1.5;

/** How the phone fills its place. */
export interface Fitted {
  /** The long edge of the picture, in pixels of the viewer's own screen. */
  readonly longEdgePixels: number;
  /** Free room on either side of the phone, in CSS pixels. */
  readonly spare: number;
}

/** The phone around the picture: as large as its place allows, and turned as the device is. */
export class DeviceFrame {
  readonly canvas = element('canvas', {
    width: 9,
    height: 19,
    role: 'img',
    'aria-label': 'Live picture of the device',
  });
  readonly #fingers = element('div', { class: 'fingers', 'aria-hidden': 'true' });
  /** Takes the person's input; it covers the picture exactly. */
  readonly screen = element('div', { class: 'screen', role: 'group' }, this.canvas, this.#fingers);
  readonly body = element(
    'div',
    { class: 'device', 'data-orientation': 'portrait' },
    element('i', { class: 'side power' }),
    element('i', { class: 'side volume' }),
    this.screen,
  );
  /** The place that the phone may fill. */
  readonly element = element('div', { class: 'place' }, this.body);
  #width = 9;
  #height = 19;
  #platform: Platform = 'ios';
  #orientation: Orientation = 'portrait';
  #scale: 'fit' | number = 'fit';
  #bezel = BEZEL;
  readonly #onFit: (fitted: Fitted) => void;

  constructor(onFit: (fitted: Fitted) => void) {
    this.#onFit = onFit;
    new ResizeObserver(() => this.#fit()).observe(this.element);
  }

  get scale(): 'fit' | number {
    return this.#scale;
  }

  /** As large as its place allows, or CSS pixels for each of the display's own: then the place can be scrolled. */
  set scale(scale: 'fit' | number) {
    this.#scale = scale;
    this.element.dataset.scale = scale === 'fit' ? 'fit' : 'fixed';
    this.#fit();
  }

  /** Whether the phone's body is drawn around the screen. */
  set bezel(shown: boolean) {
    this.#bezel = shown ? BEZEL : 0;
    this.#fit();
  }

  /** Takes the size of the device before its first picture comes, so that nothing jumps. */
  expect(platform: Platform, width: number, height: number, orientation: Orientation): void {
    this.#platform = platform;
    this.body.dataset.platform = platform;
    const wide = orientation.startsWith('landscape');
    this.resize(wide ? height : width, wide ? width : height, orientation);
  }

  resize(width: number, height: number, orientation: Orientation): void {
    if (width === this.#width && height === this.#height && orientation === this.#orientation) return;
    const from = this.#orientation;
    this.#width = width;
    this.#height = height;
    this.#orientation = orientation;
    this.body.dataset.orientation = orientation;
    this.#fit();
    if (from !== orientation) this.#turn(DEGREES[from] - DEGREES[orientation]);
  }

  /** Gives the keyboard to the device by a pointer, which needs no ring around the screen to be found again. */
  focus(field: HTMLElement): void {
    this.screen.dataset.focusedBy = 'pointer';
    field.focus({ preventScroll: true });
    field.addEventListener('blur', () => delete this.screen.dataset.focusedBy, { once: true });
  }

  showFingers(points: readonly Point[], pressed: boolean): void {
    this.#fingers.classList.toggle('pressed', pressed);
    const dots = points.map(({ x, y }) => {
      const dot = element('i');
      dot.style.left = `${x * 100}%`;
      dot.style.top = `${y * 100}%`;
      return dot;
    });
    this.#fingers.replaceChildren(...dots);
  }

  /** The phone is upright at once, in its new shape; the way there is shown, from how it was held. */
  #turn(degrees: number): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const quarter = ((degrees + 540) % 360) - 180;
    const from = `rotate(${quarter}deg) scale(${Math.abs(quarter) === 90 ? 0.8 : 1})`;
    this.body.animate([{ transform: from }, { transform: 'none' }], {
      duration: TURN_MS,
      easing: 'cubic-bezier(.3,.7,.2,1)',
    });
  }

  #fit(): void {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0 || clientHeight === 0) return;
    const short = Math.min(this.#width, this.#height);
    const frame = 2 * this.#bezel * short;
    const { paddingLeft, paddingRight } = getComputedStyle(this.element);
    const room = clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    const fitting = Math.min(ZOOM_MAX, room / (this.#width + frame), clientHeight / (this.#height + frame));
    const zoom = this.#scale === 'fit' ? fitting : this.#scale;
    // Whole device pixels keep the picture's own pixels even.
    const ratio = devicePixelRatio;
    const size = (pixels: number): string => `${Math.floor(pixels * zoom * ratio) / ratio}px`;
    this.screen.style.width = size(this.#width);
    this.screen.style.height = size(this.#height);
    this.body.style.setProperty('--bezel', `${Math.round(this.#bezel * short * zoom)}px`);
    this.body.style.setProperty(
      '--corner',
      `${Math.round((this.#bezel === 0 ? 0 : CORNER[this.#platform]) * short * zoom)}px`,
    );
    this.#onFit({
      longEdgePixels: Math.round(Math.max(this.#width, this.#height) * zoom * ratio),
      spare: Math.max(0, Math.floor((room - (this.#width + frame) * zoom) / 2)),
    });
  }
}
