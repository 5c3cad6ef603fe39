import { Chromium } from '../photon/chromium.ts';
import { TOUCH_PAGE } from '../photon/touch-page.ts';
import { PAGE_SIZE, type TapPage } from './job.ts';

/** Taps by the DevTools protocol alone. It sends both touch events at once, since waiting in between would only take longer. */
export async function openDevToolsPage(): Promise<TapPage> {
  const chromium = await Chromium.start();
  try {
    const page = await chromium.devTools.openPage(PAGE_SIZE.width, PAGE_SIZE.height);
    await page.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    const { frameTree } = (await page.send('Page.getFrameTree')) as { frameTree: { frame: { id: string } } };
    await page.send('Page.setDocumentContent', { frameId: frameTree.frame.id, html: TOUCH_PAGE });
    return {
      async tap(x, y) {
        await Promise.all([
          page.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] }),
          page.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
        ]);
      },
      close: () => chromium.close(),
    };
  } catch (error) {
    await chromium.close();
    throw error;
  }
}
