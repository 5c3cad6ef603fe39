import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import t from 'tap';
import { startBrowser, ViewerPage, withoutBrowser } from '../support/browser.ts';
import { FlakyProxy } from '../support/flaky-proxy.ts';
import { ScreenStage } from '../support/screen-stage.ts';
import type { ScreenWatcher } from '../support/screen-watcher.ts';
import { startServer } from '../support/server.ts';
import { anyInput, randomNumbers, stillness, wholeJpeg } from '../support/tile-walk.ts';

const STEPS = 24;
const PATIENCE_MS = 15_000;

/** How many numbers of the page's canvas differ from those of a JPEG that the same browser decodes; −1 for another size. */
function differing(page: Page, jpeg: Uint8Array): Promise<number> {
  return page.locator('canvas').evaluate(async (canvas: HTMLCanvasElement, base64: string) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const { image: whole } = await new ImageDecoder({ type: 'image/jpeg', data: bytes }).decode();
    const { displayWidth: width, displayHeight: height } = whole;
    if (width !== canvas.width || height !== canvas.height) return -1;
    const other = new OffscreenCanvas(width, height).getContext('2d');
    other?.drawImage(whole, 0, 0);
    const [shown, expected] = [canvas.getContext('2d'), other].map(
      (context) => context?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray(),
    ) as [Uint8ClampedArray, Uint8ClampedArray];
    return shown.reduce((sum, value, at) => sum + (value === expected[at] ? 0 : 1), 0);
  }, Buffer.from(jpeg).toString('base64'));
}

async function settledDifference(page: Page, stage: ScreenStage, whole: ScreenWatcher): Promise<number> {
  const endMs = performance.now() + PATIENCE_MS;
  let count: number;
  do {
    await stillness(stage, whole);
    count = await differing(page, await wholeJpeg(whole));
    if (count !== 0) await sleep(200);
  } while (count !== 0 && performance.now() < endMs);
  return count;
}

t.test(
  'the page draws tiles to the very picture that it makes of a whole JPEG',
  { skip: withoutBrowser },
  async (t) => {
    const stage = await ScreenStage.open(t);
    const whole = await stage.watch(t);
    whole.send({ type: 'screen.start', encodings: ['png'] });
    const browser = await startBrowser(t);
    const viewer = await ViewerPage.open(browser, stage.session);
    t.equal(await viewer.data('encoding'), 'tiles');
    const seed = 1 + Math.floor(Math.random() * 1_000_000);
    const random = randomNumbers(seed);
    const found: string[] = [];
    for (let step = 0; step < STEPS; step++) {
      const input = anyInput(random);
      await stage.act(input);
      if (step % 3 !== 2) continue;
      const count = await settledDifference(viewer.page, stage, whole);
      if (count !== 0) found.push(`step ${step}: ${count} after ${JSON.stringify(input)}`);
    }
    t.same(found, [], `seed ${seed}`);
    t.same(viewer.faults, []);
  },
);

t.test(
  'on a link that does not carry a screen which moves as a whole, the page goes over to video',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const proxy = await FlakyProxy.start(t, server.url);
    const session = await server.rest.createSession('ios', { embedOrigins: [proxy.url] });
    const viewer = await ViewerPage.open(await startBrowser(t), { url: session.url.replace(server.url, proxy.url) });
    t.equal(await viewer.data('encoding'), 'tiles');
    // 2 Mbit/s: a second of the motion would take twelve.
    proxy.bytesPerSecond = 250_000;
    await viewer.click(0.388, 0.32);
    await viewer.page.waitForSelector('main[data-encoding="h264"]');
    await server.rest.interact(session, { action: 'pressButton', button: 'home' });
    await viewer.until(() => true, 'a still picture');
    t.equal(await viewer.data('encoding'), 'h264', 'and stays with it');
    t.same(viewer.faults, []);
  },
);
