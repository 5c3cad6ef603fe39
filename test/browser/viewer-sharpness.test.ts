import t from 'tap';
import { longEdgeFor } from '../../client/viewer/screen/picture-size.ts';
import { startBrowser, ViewerPage, withoutBrowser } from '../support/browser.ts';
import { startServer } from '../support/server.ts';

t.test('a stream is as large as its picture is shown, and never smaller', (t) => {
  t.equal(longEdgeFor(300, 1_280), undefined, 'a small display is streamed in full');
  for (let shown = 1; shown < 3_000; shown += 7) {
    const asked = longEdgeFor(shown, 2_556) ?? 2_556;
    t.ok(asked >= Math.min(shown, 2_556), `${asked} pixels for ${shown}`);
  }
  t.equal(new Set(Array.from({ length: 3_000 }, (_, shown) => longEdgeFor(shown + 1, 2_556))).size, 3, 'few encoders');
  t.equal(longEdgeFor(0, 2_556), undefined, 'where it is not shown, nobody knows');
  t.end();
});

t.test('a sharp phone is as sharp as the display of its viewer', { skip: withoutBrowser }, async (t) => {
  const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios@3x:1,virtual-android@3x:1' });
  t.teardown(() => server.close());
  const browser = await startBrowser(t);
  for (const [platform, width, height] of [
    ['ios', 1_179, 2_556],
    ['android', 1_080, 2_400],
  ] as const) {
    const session = await server.rest.createSession(platform);
    t.match(session.device, { width, height });
    const sizes: number[] = [];
    for (const deviceScaleFactor of [1, 1.5, 3]) {
      const viewer = await ViewerPage.open(browser, session, { deviceScaleFactor });
      const shown = await viewer.page.locator('.screen').evaluate((screen) => screen.clientHeight * devicePixelRatio);
      await viewer.page.waitForFunction(
        ({ shown, height }) => {
          const canvas = document.querySelector('canvas');
          return canvas && canvas.height >= Math.min(shown, height) && canvas.height <= 2 * shown + 2;
        },
        { shown, height },
      );
      sizes.push((await viewer.size()).height);
      await viewer.page.getByRole('button', { name: 'Actual size' }).click();
      const scale = await viewer.page.evaluate(() => devicePixelRatio);
      const box = await viewer.page.locator('.screen').boundingBox();
      t.ok(
        Math.abs((box?.height ?? 0) * scale - height) <= 2,
        'its actual size is that of the display, not of the stream',
      );
      await viewer.page.waitForFunction((height) => document.querySelector('canvas')?.height === height, height);
      t.same(viewer.faults, []);
      await viewer.page.close();
    }
    t.ok((sizes[0] ?? 0) < (sizes[2] ?? 0), `pictures of ${sizes.join(', ')} pixels`);
    t.equal(sizes[2], height);
  }
});
