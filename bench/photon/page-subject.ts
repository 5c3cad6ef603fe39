import { setTimeout as sleep } from 'node:timers/promises';
import { Chromium } from './chromium.ts';
import type { DevToolsPage } from './dev-tools.ts';
import type { Subject, TapFigures } from './job.ts';
import { placeOf } from './places.ts';
import { inTime } from './tap-loop.ts';

const READY_MS_MAX = 60_000;

/**
 * Runs in the page before its own code. It observes packets when they arrive and pictures when they are drawn, and taps with
 * the pointer events that the page listens for, so that the page itself is the one that users open.
 */
const probeOf = (bare: boolean): string => `(() => {
  const probe = { bytes: 0, capturedAtMs: 0, open: undefined, looks: false };
  const wallMs = () => performance.timeOrigin + performance.now();
  window.WebSocket = class extends WebSocket {
    constructor(...parts) {
      super(...parts);
      this.addEventListener('message', ({ data }) => {
        const view = new DataView(data);
        if (${bare}) return void (probe.bytes += data.byteLength);
        if (view.getUint8(0) !== 1) return;
        probe.bytes += data.byteLength;
        probe.capturedAtMs = Number(view.getBigUint64(16, true)) / 1000;
      });
    }
  };
  const marked = (context, { x, y }) => {
    const { width, height } = context.canvas;
    const { data } = context.getImageData(Math.floor(x * width) - 4, Math.floor(y * height) - 4, 9, 9);
    let excess = 0;
    for (let at = 0; at < data.length; at += 4) excess += data[at] - data[at + 1];
    return excess / 81 > 30;
  };
  for (const name of ['drawImage', 'putImageData']) {
    const draw = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...parts) {
      draw.apply(this, parts);
      if (probe.looks || !probe.open || this.canvas.width < 100) return;
      probe.looks = true;
      // The parts of a picture are drawn in one go: looked at when it is whole.
      queueMicrotask(() => {
        probe.looks = false;
        const tap = probe.open;
        // Reading the pixels back ensures that they are drawn; the time that it takes is part of the figure.
        if (!tap || !marked(this, tap.place)) return;
        probe.open = undefined;
        const photonMs = performance.now() - tap.sentMs;
        const captureMs = probe.capturedAtMs > 0 ? { captureMs: Math.max(0, wallMs() - probe.capturedAtMs) } : {};
        tap.seen({ photonMs, pixelsMs: photonMs, ...captureMs });
      });
    };
  }
  probe.tap = (place) => new Promise((seen) => {
    const surface = document.querySelector('.screen');
    const { left, top, width, height } = surface.getBoundingClientRect();
    const at = { clientX: left + place.x * width, clientY: top + place.y * height };
    const touch = (type) => surface.dispatchEvent(
      new PointerEvent(type, { pointerId: 1, pointerType: 'mouse', button: 0, bubbles: true, cancelable: true, ...at }),
    );
    probe.open = { place, seen, sentMs: performance.now() };
    touch('pointerdown');
    touch('pointerup');
  });
  window.photonProbe = probe;
})()`;

/** A page in headless Chromium, from the pointer's event to the drawn canvas. */
export class PageSubject implements Subject {
  readonly #chromium: Chromium;
  readonly #page: DevToolsPage;
  readonly #readBytes: NodeJS.Timeout;
  #bytes = 0;

  private constructor(chromium: Chromium, page: DevToolsPage) {
    this.#chromium = chromium;
    this.#page = page;
    this.#readBytes = setInterval(() => void this.#count(), 100);
  }

  static async open(url: string, bare = false): Promise<PageSubject> {
    const chromium = await Chromium.start();
    try {
      const page = await chromium.devTools.openPage(1280, 900);
      await page.send('Page.addScriptToEvaluateOnNewDocument', { source: probeOf(bare) });
      await page.send('Page.navigate', { url });
      const shown = `document.querySelector('main[data-state="connected"][data-shown]') !== null`;
      const untilMs = performance.now() + READY_MS_MAX;
      while (!(await page.evaluate<boolean>(shown))) {
        if (performance.now() > untilMs) throw new Error(`the viewer page shows nothing after ${READY_MS_MAX} ms`);
        await sleep(50);
      }
      return new PageSubject(chromium, page);
    } catch (error) {
      await chromium.close();
      throw error;
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The page's name for the decoder that it uses. */
  decoder(): Promise<string> {
    return this.#page.evaluate<string>(`document.querySelector('main').dataset.decoder`);
  }

  tap(n: number): Promise<TapFigures> {
    const seen = this.#page.evaluate<TapFigures>(`photonProbe.tap(${JSON.stringify(placeOf(n))})`);
    return inTime(seen, 'a tap’s picture in the viewer page');
  }

  async close(): Promise<void> {
    clearInterval(this.#readBytes);
    await this.#chromium.close();
  }

  async #count(): Promise<void> {
    this.#bytes = await this.#page.evaluate<number>('photonProbe.bytes').catch(() => this.#bytes);
  }
}
