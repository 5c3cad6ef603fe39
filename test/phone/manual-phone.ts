import type { Key, Modifier, Orientation, Platform } from '@runcloud/protocol';
import type { DeviceDescriptor, Picture } from '../../server/device/driver.ts';
import type { AppDefinition } from '../../server/phone/apps/app.ts';
import { BUILT_IN_APPS } from '../../server/phone/apps/catalogue.ts';
import type { PhoneClock } from '../../server/phone/clock.ts';
import { centre, type Pixel } from '../../server/phone/geometry.ts';
import { VIRTUAL_MODELS } from '../../server/phone/models.ts';
import { VirtualPhone } from '../../server/phone/phone.ts';
import { homeLayout } from '../../server/phone/system/home-layout.ts';
import { layoutOf } from '../../server/phone/system/layout.ts';
import { createTheme, type Theme } from '../../server/phone/theme.ts';

/** Time that stands still until it is told to go on. */
export class ManualClock implements PhoneClock {
  #nowMs = 10_000;
  #wallMs = Date.UTC(2026, 10, 20, 9, 41, 30);
  #tasks: { readonly atMs: number; readonly task: () => void }[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return this.#wallMs;
  }

  get pending(): number {
    return this.#tasks.length;
  }

  schedule(delayMs: number, task: () => void): () => void {
    const entry = { atMs: this.#nowMs + delayMs, task };
    this.#tasks.push(entry);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== entry);
    };
  }

  /** Goes on by `ms`, running what falls due on the way in its order. */
  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const due = this.#tasks.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (!due) break;
      this.#tasks = this.#tasks.filter((other) => other !== due);
      this.#move(due.atMs);
      due.task();
    }
    this.#move(untilMs);
  }

  #move(toMs: number): void {
    this.#wallMs += Math.max(0, toMs - this.#nowMs);
    this.#nowMs = Math.max(this.#nowMs, toMs);
  }
}

/** A phone under a test's control, and what a person would do with it. */
export class ManualPhone {
  readonly platform: Platform;
  readonly clock = new ManualClock();
  readonly phone: VirtualPhone;
  readonly theme: Theme;
  #seq = 0;

  readonly #apps: readonly AppDefinition[];

  readonly #model: DeviceDescriptor;

  /** @param apps installed besides those that every phone has */
  constructor(
    platform: Platform,
    orientation: Orientation = 'portrait',
    apps: readonly AppDefinition[] = [],
    model = VIRTUAL_MODELS[platform],
  ) {
    this.#apps = [...BUILT_IN_APPS, ...apps];
    const { clock } = this;
    const { width, height, scale, displays = [] } = model;
    this.#model = model;
    this.platform = platform;
    this.theme = createTheme(platform, scale);
    this.phone = new VirtualPhone({
      platform,
      orientation,
      clock,
      apps,
      random: () => 0.5,
      width,
      height,
      scale,
      displays,
    });
  }

  nextSeq(): number {
    return ++this.#seq;
  }

  get size() {
    const active = this.#model.displays?.find(({ name }) => name === this.phone.display);
    const { width, height } = active ?? this.#model;
    return this.phone.orientation.startsWith('landscape') ? { width: height, height: width } : { width, height };
  }

  /** The layout of the system with or without the keyboard, as of an app with bars. */
  layout(keyboardShown = this.phone.inspect().keyboardShown) {
    const state = { size: this.size, keyboardShown } as Parameters<typeof layoutOf>[0];
    return layoutOf(state, this.theme, false);
  }

  /** Normalised coordinates of a pixel's middle. */
  point({ x, y }: Pixel) {
    return { x: (x + 0.5) / this.size.width, y: (y + 0.5) / this.size.height };
  }

  tap(at: Pixel, holdMs = 50): void {
    this.phone.touch('begin', [this.point(at)], this.nextSeq());
    this.clock.advance(holdMs);
    this.phone.touch('end', [this.point(at)], this.nextSeq());
  }

  /** Moves a finger in even steps of 10 ms. */
  swipe(from: Pixel, to: Pixel, durationMs = 200): void {
    const steps = durationMs / 10;
    this.phone.touch('begin', [this.point(from)], this.nextSeq());
    for (let step = 1; step <= steps; step++) {
      this.clock.advance(10);
      const at = { x: from.x + ((to.x - from.x) * step) / steps, y: from.y + ((to.y - from.y) * step) / steps };
      this.phone.touch(step === steps ? 'end' : 'move', [this.point(at)], this.nextSeq());
    }
  }

  press(key: Key, modifiers: readonly Modifier[] = [], heldMs = 50): void {
    this.phone.keyDown(key, modifiers, this.nextSeq());
    this.clock.advance(heldMs);
    this.phone.keyUp(key, modifiers, this.nextSeq());
  }

  button(button: Parameters<VirtualPhone['buttonDown']>[0], heldMs = 50): void {
    this.phone.buttonDown(button, this.nextSeq());
    this.clock.advance(heldMs);
    this.phone.buttonUp(button, this.nextSeq());
  }

  /** Swipes the lock screen away; the motion is over afterwards. */
  unlock(): void {
    const { width, height } = this.size;
    const x = Math.round(width / 2);
    this.swipe({ x, y: Math.round(height * 0.8) }, { x, y: Math.round(height * 0.3) });
    this.clock.advance(400);
  }

  /** Where an app's icon is on the home screen. */
  icon(app: string): Pixel {
    const home = homeLayout(this.#apps, 0, this.layout(false), this.theme);
    const place = home.places.find((other) => other.app.id === app);
    if (!place) throw new Error(`no icon for ${app}`);
    return centre(place.icon);
  }

  /** Goes home and taps the app's icon; the transitions are over afterwards. */
  open(app: string): void {
    this.button('home');
    this.clock.advance(300);
    this.tap(this.icon(app));
    this.clock.advance(300);
  }

  get app(): Readonly<Record<string, unknown>> {
    return this.phone.inspect().app;
  }
}

/** Every pixel of a picture as a word. */
export function words(picture: Picture): Uint32Array {
  return new Uint32Array(picture.pixels.slice().buffer);
}

/** RGB of one pixel as on the web, such as `#ff00ff`. */
export function colourAt(picture: Picture, { x, y }: Pixel): string {
  const at = (y * picture.width + x) * 4;
  return `#${Buffer.from(picture.pixels.subarray(at, at + 3)).toString('hex')}`;
}

/** Pixels that differ between two copies of the same size. */
export function differing(before: Uint32Array, after: Uint32Array): number[] {
  const indices: number[] = [];
  if (Buffer.from(before.buffer).equals(Buffer.from(after.buffer))) return indices;
  for (let index = 0; index < after.length; index++) if (before[index] !== after[index]) indices.push(index);
  return indices;
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
