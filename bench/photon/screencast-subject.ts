import { Chromium } from './chromium.ts';
import type { DevToolsPage } from './dev-tools.ts';
import { hasMark, jpegEye } from './eyes.ts';
import type { OpenTap, Subject, TapFigures } from './job.ts';
import { QUALITY } from './marked-screen.ts';
import { placeOf } from './places.ts';
import { inTime } from './tap-loop.ts';
import { TOUCH_PAGE } from './touch-page.ts';

/** The means of remote control in a browser: a touch by the DevTools protocol, and its screencast in JPEG. */
export class ScreencastSubject implements Subject {
  readonly #chromium: Chromium;
  readonly #page: DevToolsPage;
  readonly #size: { readonly width: number; readonly height: number };
  readonly #eye = jpegEye();
  #bytes = 0;
  #open: OpenTap | undefined;
  #onFirst: () => void = () => undefined;

  private constructor(chromium: Chromium, page: DevToolsPage, size: { width: number; height: number }) {
    this.#chromium = chromium;
    this.#page = page;
    this.#size = size;
    page.on('Page.screencastFrame', ({ data, sessionId }) => this.#frame(String(data), sessionId));
  }

  static async open(width: number, height: number): Promise<ScreencastSubject> {
    const chromium = await Chromium.start();
    try {
      const page = await chromium.devTools.openPage(width, height);
      await page.send('Emulation.setTouchEmulationEnabled', { enabled: true });
      const { frameTree } = (await page.send('Page.getFrameTree')) as { frameTree: { frame: { id: string } } };
      await page.send('Page.setDocumentContent', { frameId: frameTree.frame.id, html: TOUCH_PAGE });
      const subject = new ScreencastSubject(chromium, page, { width, height });
      const first = new Promise<void>((resolve) => {
        subject.#onFirst = resolve;
      });
      await page.send('Page.startScreencast', { format: 'jpeg', quality: QUALITY, everyNthFrame: 1 });
      await inTime(first, 'the first picture of the screencast');
      return subject;
    } catch (error) {
      await chromium.close();
      throw error;
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  tap(n: number): Promise<TapFigures> {
    const place = placeOf(n);
    const { width, height } = this.#size;
    const seen = new Promise<TapFigures>((resolve, failed) => {
      const touchPoints = [{ x: Math.floor(place.x * width), y: Math.floor(place.y * height) }];
      this.#open = { place, sentMs: performance.now(), seen: resolve, failed };
      // Sends both at once, since waiting for the first answer would only take longer.
      this.#page.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints }).catch(failed);
      this.#page.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }).catch(failed);
    });
    return inTime(seen, 'a tap’s picture of the screencast');
  }

  close(): Promise<void> {
    return this.#chromium.close();
  }

  #frame(data: string, sessionId: unknown): void {
    const arrivedMs = performance.now();
    void this.#page.send('Page.screencastFrameAck', { sessionId });
    this.#onFirst();
    this.#bytes += data.length;
    const tap = this.#open;
    if (!tap) return;
    try {
      // The screencast does not say which input a picture shows, so the first picture with the mark counts.
      if (!hasMark(this.#eye.see(Buffer.from(data, 'base64')), tap.place)) return;
      this.#open = undefined;
      const photonMs = arrivedMs - tap.sentMs;
      tap.seen({ photonMs, pixelsMs: performance.now() - tap.sentMs, pictureBytes: data.length });
    } catch (error) {
      tap.failed(error);
    }
  }
}
