import { existsSync } from 'node:fs';
import type { SessionRecord } from '@runcloud/protocol';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Test } from 'tap';
import { CHROMIUM, CHROMIUM_ARGUMENTS } from './chromium.ts';

/** Why pages cannot be tested here; `false` where they can. Where CI runs, a missing browser fails the test instead. */
export const withoutBrowser: string | false =
  existsSync(CHROMIUM) || process.env.CI === 'true' ? false : `NO BROWSER: ${CHROMIUM} is absent, pages are NOT tested`;

/** Headless Chromium; it ends with the test. */
export async function startBrowser(t: Test): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [...CHROMIUM_ARGUMENTS],
  });
  t.teardown(() => browser.close());
  return browser;
}

/** A viewer page, and everything that went wrong in it. */
export class ViewerPage {
  readonly page: Page;
  /** Uncaught errors, and what the console reported as an error: the policy's refusals among them. */
  readonly faults: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(message.text());
    });
  }

  /** Opens a session's address as a person does, and waits for the first picture. */
  static async open(browser: Browser, session: Pick<SessionRecord, 'url'>, options: BrowserContextOptions = {}) {
    const viewer = await ViewerPage.blank(browser, options);
    await viewer.page.goto(session.url);
    await viewer.shown();
    return viewer;
  }

  static async blank(browser: Browser, options: BrowserContextOptions = {}): Promise<ViewerPage> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    return new ViewerPage(await context.newPage());
  }

  async shown(): Promise<void> {
    await this.page.waitForSelector('main[data-state="connected"][data-shown]');
  }

  data(name: string): Promise<string | null> {
    return this.page.locator('main').getAttribute(`data-${name}`);
  }

  /** The canvas's size in its own pixels. */
  size(): Promise<{ width: number; height: number }> {
    return this.page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => ({
      width: canvas.width,
      height: canvas.height,
    }));
  }

  /** Colour of the canvas at shares of its size, as red, green and blue from 0 to 255. */
  pixel(x: number, y: number): Promise<[number, number, number]> {
    return this.page.locator('canvas').evaluate(
      (canvas: HTMLCanvasElement, { x, y }) => {
        const context = canvas.getContext('2d');
        const [red = 0, green = 0, blue = 0] =
          context?.getImageData(Math.floor(x * canvas.width), Math.floor(y * canvas.height), 1, 1).data ?? [];
        return [red, green, blue] as [number, number, number];
      },
      { x, y },
    );
  }

  /** All pixels as a small picture of 32 × 32 grey tones, to tell one screen from another. */
  thumbnail(): Promise<number[]> {
    return this.page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const small = new OffscreenCanvas(32, 32);
      const context = small.getContext('2d');
      if (!context) return [];
      context.imageSmoothingQuality = 'high';
      context.drawImage(canvas, 0, 0, 32, 32);
      const { data } = context.getImageData(0, 0, 32, 32);
      return Array.from({ length: 1024 }, (_, index) => data[index * 4 + 1] ?? 0);
    });
  }

  /** Where a share of the display is on the page, in CSS pixels. */
  async place(x: number, y: number): Promise<{ x: number; y: number }> {
    const box = await this.page.locator('.screen').boundingBox();
    if (!box) throw new Error('the screen is not on the page');
    return { x: box.x + x * box.width, y: box.y + y * box.height };
  }

  async click(x: number, y: number): Promise<void> {
    const place = await this.place(x, y);
    await this.page.mouse.click(place.x, place.y);
  }

  /** Waits until the picture differs from `before` by more than noise and the hour on its clock, and has come to rest. */
  async changed(before: readonly number[], by = 0.5): Promise<number[]> {
    return this.until((now) => difference(now, before) > by, 'the picture to change');
  }

  /** Waits until a still picture fits. */
  async until(fits: (thumbnail: number[]) => boolean, what: string): Promise<number[]> {
    let last = await this.thumbnail();
    const deadlineMs = performance.now() + 30_000;
    while (performance.now() < deadlineMs) {
      await this.page.waitForTimeout(150);
      const now = await this.thumbnail();
      if (difference(now, last) < 0.05 && fits(now)) return now;
      last = now;
    }
    throw new Error(`waited for ${what}`);
  }
}

/** Mean difference of two thumbnails, in steps of 255. */
export function difference(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length;
}
