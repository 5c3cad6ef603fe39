import t from 'tap';
import { difference, startBrowser, ViewerPage, withoutBrowser } from '../support/browser.ts';
import { startServer } from '../support/server.ts';

const NO_VIDEO = 'delete globalThis.VideoDecoder; delete globalThis.Worker';
/** As in pages of plain HTTP. */
const NO_IMAGE_DECODER = 'delete globalThis.ImageDecoder';
const FAILING_TILES = 'ImageDecoder.prototype.decode = () => Promise.reject(new Error("no"))';
const WAYS = [
  { decoder: 'tiles', encoding: 'tiles', without: '' },
  { decoder: 'tiles', encoding: 'tiles', without: NO_IMAGE_DECODER },
  // A browser that cannot decode the first tiles goes on with video, or with whole pictures.
  { decoder: 'webcodecs', encoding: 'h264', without: FAILING_TILES },
  { decoder: 'software', encoding: 'h264', without: `delete globalThis.VideoDecoder; ${FAILING_TILES}` },
  { decoder: 'image', encoding: 'jpeg', without: `${NO_VIDEO}; ${FAILING_TILES}` },
] as const;

t.test('every browser shows the same picture, by the best way that it has', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const browser = await startBrowser(t);
  let first: number[] | undefined;
  for (const { decoder, encoding, without } of WAYS) {
    const viewer = await ViewerPage.blank(browser);
    await viewer.page.addInitScript(without);
    await viewer.page.goto(session.url);
    await viewer.shown();
    t.equal(await viewer.data('decoder'), decoder);
    t.equal(await viewer.data('encoding'), encoding);
    const picture = await viewer.until(() => true, 'a still picture');
    first ??= picture;
    t.ok(difference(picture, first) < 1.5, `${decoder} shows what the others show: ${difference(picture, first)}`);
    await viewer.page.getByRole('button', { name: 'Rotate left' }).click();
    await viewer.until(() => true, 'the turned picture');
    await viewer.page.waitForFunction(() => (document.querySelector('canvas')?.width ?? 0) > 1_000);
    await viewer.page.getByRole('button', { name: 'Rotate right' }).click();
    await viewer.page.waitForFunction(() => (document.querySelector('canvas')?.width ?? 0) < 1_000);
    t.same(viewer.faults, [], `${decoder} keeps to the page's policy`);
    await viewer.page.context().close();
  }
});
