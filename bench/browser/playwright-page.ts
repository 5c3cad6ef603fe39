import { chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumProgram } from '../photon/chromium.ts';
import { TOUCH_PAGE } from '../photon/touch-page.ts';
import { PAGE_SIZE, type TapPage } from './job.ts';

/** `page.touchscreen.tap` as Playwright documents it: https://playwright.dev/docs/api/class-touchscreen */
export async function openPlaywrightPage(): Promise<TapPage> {
  const executablePath = chromiumProgram();
  if (executablePath === undefined) throw new Error('no Chromium on this machine');
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS] });
  try {
    const context = await browser.newContext({ hasTouch: true, viewport: PAGE_SIZE });
    const page = await context.newPage();
    await page.setContent(TOUCH_PAGE);
    return { tap: (x, y) => page.touchscreen.tap(x, y), close: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
