import { type ActionFields, type ActionName, type Orientation, platformCapabilities } from '@runcloud/protocol';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import type {
  Device,
  DeviceClipboard,
  DeviceOptions,
  InputContext,
  InputResult,
  Picture,
  Point,
} from '../../server/device/driver.ts';
import { DeviceFault } from '../../server/device/fault.ts';
import { playGesture, swipeSteps } from '../../server/drivers/gesture-player.ts';
import { systemClock } from '../../server/flow/clock.ts';
import { VIRTUAL_MODELS } from '../../server/phone/models.ts';
import { CHROMIUM, CHROMIUM_ARGUMENTS } from './chromium.ts';

/** CSS pixels in portrait, and the pixels of each: a page that a device's own browser shows has such a scale as well. */
const SIZE = { width: 360, height: 640 };
const SCALE = 2;
const LOOK_MS = 60;

const ACTIONS: readonly ActionName[] = [
  'tap',
  'swipe',
  'gesture',
  'typeText',
  'insertText',
  'pressKey',
  'pressButton',
  'rotate',
];

const KEYS: Readonly<Record<string, string>> = {
  arrowLeft: 'ArrowLeft',
  enter: 'Enter',
  shift: 'Shift',
  control: 'Control',
};
const PHASES = { begin: 'touchStart', move: 'touchMove', end: 'touchEnd', cancel: 'touchCancel' } as const;

/** A display that is a page of Chromium: the one real browser engine that is at hand, to be touched like a phone's. */
export class BrowserDevice implements Device {
  readonly descriptor = {
    // The model is asked for again, and is what the service offers.
    model: VIRTUAL_MODELS.android.model,
    osVersion: 'Chromium',
    width: SIZE.width * SCALE,
    height: SIZE.height * SCALE,
    scale: SCALE,
    driver: 'virtual',
  };
  readonly capabilities = {
    ...platformCapabilities('android'),
    actions: ACTIONS,
    orientations: ['portrait', 'landscape_left'] as const,
    buttons: ['home', 'back'] as const,
    renderOptions: [],
  };
  /** The browser's own. */
  readonly clipboard: DeviceClipboard = {
    read: () => this.#page.evaluate(() => navigator.clipboard.readText()),
    write: (text) => this.#page.evaluate((text) => navigator.clipboard.writeText(text), text),
  };
  orientation: Orientation = 'portrait';
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #touches: CDPSession;
  readonly #timer: NodeJS.Timeout;
  #listener: () => void = () => undefined;
  #onOrientation: (orientation: Orientation) => void = () => undefined;
  #picture: Picture | undefined;
  #inputSeq = 0;

  private constructor(browser: Browser, page: Page, touches: CDPSession) {
    this.#browser = browser;
    this.#page = page;
    this.#touches = touches;
    this.#timer = setInterval(() => this.#listener(), LOOK_MS);
  }

  static async open(_options: DeviceOptions): Promise<Device> {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...CHROMIUM_ARGUMENTS] });
    const context = await browser.newContext({
      viewport: SIZE,
      deviceScaleFactor: SCALE,
      hasTouch: true,
      isMobile: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    return new BrowserDevice(browser, page, await context.newCDPSession(page));
  }

  async perform(request: ActionFields, context: InputContext): Promise<InputResult> {
    this.#inputSeq = context.inputSeq;
    switch (request.action) {
      case 'tap': {
        await this.#touch('begin', [request]);
        await this.#touch('end', [request]);
        return { pointCount: 1 };
      }
      case 'swipe': {
        await this.#play(swipeSteps(request.from, request.to, request.durationMs), context);
        return { pointCount: 1, durationMs: request.durationMs };
      }
      case 'gesture': {
        const dispatchedSteps = await this.#play(request.steps, context);
        return { pointCount: request.steps[0]?.points.length ?? 0, dispatchedSteps };
      }
      case 'typeText': {
        await this.#page.keyboard.type(request.text);
        return { characterCount: request.text.length };
      }
      case 'insertText': {
        await this.#page.keyboard.insertText(request.text);
        return { characterCount: [...request.text].length };
      }
      case 'pressKey': {
        const { key, modifiers, durationMs } = request;
        await this.#page.keyboard.press([...modifiers, key].map((name) => KEYS[name] ?? name).join('+'));
        return { key, modifiers, durationMs };
      }
      case 'pressButton': {
        if (request.button === 'back') await this.#page.goBack();
        else await this.#page.goto('about:blank');
        return { button: request.button, durationMs: request.durationMs };
      }
      case 'rotate': {
        this.orientation = request.orientation;
        const { width, height } = SIZE;
        await this.#page.setViewportSize(request.orientation === 'portrait' ? SIZE : { width: height, height: width });
        this.#onOrientation(this.orientation);
        return { orientation: request.orientation };
      }
      default:
        throw new DeviceFault('unsupported', 'This display does not do that.');
    }
  }

  async #play(steps: Parameters<typeof playGesture>[1], { signal, onStep }: InputContext): Promise<number> {
    let taken = Promise.resolve();
    const touch = (phase: keyof typeof PHASES, points: readonly Point[]) => {
      taken = taken.then(() => this.#touch(phase, points));
    };
    try {
      return await playGesture({ touch }, steps, { signal, clock: systemClock, ...(onStep ? { onStep } : {}) });
    } finally {
      await taken;
    }
  }

  async #touch(phase: keyof typeof PHASES, points: readonly Point[]): Promise<void> {
    const size = this.#page.viewportSize() ?? SIZE;
    const places = points.map(({ x, y }, id) => ({ x: x * size.width, y: y * size.height, id }));
    const isLifted = phase === 'end' || phase === 'cancel';
    // The end of a touch has no place of its own in this protocol: a finger leaves where it was.
    if (phase === 'end')
      await this.#touches.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: places });
    await this.#touches.send('Input.dispatchTouchEvent', { type: PHASES[phase], touchPoints: isLifted ? [] : places });
  }

  async pointer(phase: 'begin' | 'move' | 'end' | 'cancel', points: readonly Point[], inputSeq: number): Promise<void> {
    this.#inputSeq = inputSeq;
    await this.#touch(phase, points);
  }

  async openUrl(url: string, { inputSeq }: Pick<InputContext, 'inputSeq'>) {
    this.#inputSeq = inputSeq;
    await this.#page.goto(url);
    return { handler: 'chromium' };
  }

  async releaseAll(): Promise<void> {}

  async capture(): Promise<Picture> {
    const inputSeq = this.#inputSeq;
    const png = await this.#page.screenshot();
    const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const before = this.#picture;
    if (before && before.width === width && data.equals(before.pixels)) {
      if (before.inputSeq < inputSeq) this.#picture = { ...before, inputSeq };
      return this.#picture ?? before;
    }
    const damage = [{ x: 0, y: 0, width, height }];
    const version = (before?.version ?? 0) + 1;
    this.#picture = { pixels: data, width, height, orientation: this.orientation, version, damage, inputSeq };
    return this.#picture;
  }

  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  onOrientation(listener: (orientation: Orientation) => void): void {
    this.#onOrientation = listener;
  }

  onLost(): void {}

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#browser.close();
  }
}
