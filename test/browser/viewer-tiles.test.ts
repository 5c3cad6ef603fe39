import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import t from 'tap';
import { startBrowser, ViewerPage, withoutBrowser } from '../support/browser.ts';
import { ScreenStage } from '../support/screen-stage.ts';
import type { ScreenWatcher } from '../support/screen-watcher.ts';
import { anyInput, randomNumbers, stillness } from '../support/tile-walk.ts';

const NO_VIDEO = 'delete globalThis.VideoDecoder; delete globalThis.Worker';
const STEPS = 24;
const PATIENCE_MS = 15_000;

/** How many numbers of the page's canvas differ from those of a JPEG that the same browser decodes; −1 for another size. */
function differing(page: Page, jpeg: Uint8Array): Promise<number> {
  return page.locator('canvas').evaluate(async (canvas: HTMLCanvasElement, base64: string) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const whole = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
    if (whole.width !== canvas.width || whole.height !== canvas.height) return -1;
    const other = new OffscreenCanvas(whole.width, whole.height).getContext('2d');
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
    const newest = whole.packets.at(-1);
    count = newest ? await differing(page, newest.payload) : -1;
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
    whole.send({ type: 'screen.start', encodings: ['jpeg'] });
    const browser = await startBrowser(t);
    const viewer = await ViewerPage.blank(browser);
    await viewer.page.addInitScript(NO_VIDEO);
    await viewer.page.goto(stage.session.url);
    await viewer.shown();
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
