import t from 'tap';
import { difference, startBrowser, ViewerPage, withoutBrowser } from '../support/browser.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

/** A person with a mouse and a keyboard, from the home screen through the apps; each step is seen in the picture. */

const TOUCH_LAB = { x: 0.164, y: 0.922 };
const NOTES = { x: 0.388, y: 0.922 };

/** Pixels of a colour's kind around a place of the canvas. */
function countNear(viewer: ViewerPage, at: { x: number; y: number }, kind: 'pink' | 'blue'): Promise<number> {
  return viewer.page.locator('canvas').evaluate(
    (canvas: HTMLCanvasElement, { at, kind }) => {
      const context = canvas.getContext('2d');
      const left = Math.floor(at.x * canvas.width) - 8;
      const top = Math.floor(at.y * canvas.height) - 8;
      const data = context?.getImageData(left, top, 17, 17).data ?? [];
      let count = 0;
      for (let index = 0; index < data.length; index += 4) {
        const [red = 0, green = 0, blue = 0] = [data[index], data[index + 1], data[index + 2]];
        if (kind === 'pink' ? red > green + 60 && red > 150 : blue > red + 60 && blue > 150) count += 1;
      }
      return count;
    },
    { at, kind },
  );
}

/** Dark pixels in the upper part of the screen, where Notes has its text. */
function inked(viewer: ViewerPage): Promise<number> {
  return viewer.page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
    const context = canvas.getContext('2d');
    const data = context?.getImageData(0, 0, canvas.width, Math.floor(canvas.height / 2)).data ?? [];
    let count = 0;
    for (let index = 1; index < data.length; index += 4) if ((data[index] ?? 255) < 100) count += 1;
    return count;
  });
}

/** Waits until the canvas has this size, and what is on it stands still. */
async function untilSize(viewer: ViewerPage, size: { width: number; height: number }): Promise<void> {
  await until(async () => {
    const { width, height } = await viewer.size();
    return width === size.width && height === size.height;
  }, `a canvas of ${size.width} × ${size.height}`);
  await viewer.until(() => true, 'the picture to stand still');
}

t.test('a person opens an iPhone, uses its apps and turns it', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const viewer = await ViewerPage.open(await startBrowser(t), session);
  const { page } = viewer;
  const seen = () => server.inspect('ios', session.id);

  t.same(await viewer.size(), { width: 590, height: 1280 }, 'the picture is as large as the display');
  const home = await viewer.until(() => true, 'the home screen to stand still');
  t.ok(difference(home, new Array(1024).fill(0)) > 20, 'the home screen is there');

  await viewer.click(TOUCH_LAB.x, TOUCH_LAB.y);
  await viewer.changed(home);
  t.equal((await seen()).foreground, 'touch-lab', 'a click opened the app');

  const from = await viewer.place(0.2, 0.75);
  const to = await viewer.place(0.8, 0.85);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 12 });
  await until(async () => (await seen()).pointers.length === 1, 'the finger to be down while the button is');
  await page.mouse.up();
  const isNear = async (x: number, y: number, kind: 'pink' | 'blue') => (await countNear(viewer, { x, y }, kind)) > 5;
  await until(() => isNear(0.2, 0.75, 'pink'), 'the line to begin where the drag began');
  await until(() => isNear(0.8, 0.85, 'pink'), 'and to end where it ended');
  await until(() => isNear(0.5, 0.8, 'pink'), 'by way of the middle');

  const one = await viewer.place(0.4, 0.62);
  await page.keyboard.down('Alt');
  await page.mouse.move(one.x, one.y);
  t.equal(await page.locator('.fingers i').count(), 2, 'both fingers are shown before they touch');
  await page.mouse.down();
  await page.mouse.move(one.x - 60, one.y + 60, { steps: 6 });
  await page.mouse.up();
  await page.keyboard.up('Alt');
  await until(() => isNear(0.4, 0.62, 'pink'), 'one finger to have begun under the mouse');
  await until(() => isNear(0.6, 0.38, 'blue'), 'the other to have begun at its mirror image');
  t.equal(await page.locator('.fingers i').count(), 0, 'the shown fingers go with the Alt key');

  await page.getByRole('button', { name: 'Home', exact: true }).click();
  await viewer.until((now) => difference(now, home) < 2, 'the home screen');
  t.ok(difference(await viewer.thumbnail(), home) < 2, 'the home button leads to the home screen');

  await viewer.click(NOTES.x, NOTES.y);
  await viewer.changed(home);
  const blank = await inked(viewer);
  await page.keyboard.type('Hello, World! ~42');
  await until(async () => (await inked(viewer)) > blank + 200, 'the typed text to be seen');
  await until(async () => (await seen()).app.text === 'Hello, World! ~42', 'keys with and without shift, in order');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('J');
  await until(async () => (await seen()).app.text === 'Jello, World! ~4', 'editing keys to work');
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/plain', ' “pasted” ü');
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  });
  const pasted = 'J “pasted” üello, World! ~4';
  await until(async () => (await seen()).app.text === pasted, 'a pasted text to be inserted where the caret is');

  await page.getByRole('button', { name: 'Rotate left' }).click();
  await page.waitForSelector('main[data-orientation="landscape_left"]');
  await untilSize(viewer, { width: 1280, height: 590 });
  const box = await page.locator('.screen').boundingBox();
  t.ok(box && box.width > box.height, 'and so did the phone on the page');
  await page.getByRole('button', { name: 'Rotate right' }).click();
  await page.waitForSelector('main[data-orientation="portrait"]');
  await untilSize(viewer, { width: 590, height: 1280 });

  await page.locator('.keys').focus();
  await page.keyboard.press('Shift+Escape');
  t.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Home', 'the keys are free');
  t.same(viewer.faults, [], 'nothing went wrong in the page');
});

t.test('a right click goes back, and the wheel scrolls, on Android', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('android');
  const viewer = await ViewerPage.open(await startBrowser(t), session);
  const home = await viewer.until(() => true, 'the home screen');
  await viewer.click(0.16, 0.28);
  const list = await viewer.changed(home);
  t.equal((await server.inspect('android', session.id)).foreground, 'scroll');
  const middle = await viewer.place(0.5, 0.5);
  await viewer.page.mouse.move(middle.x, middle.y);
  await viewer.page.mouse.wheel(0, 400);
  await viewer.changed(list);
  await viewer.page.mouse.click(middle.x, middle.y, { button: 'right' });
  await viewer.until((now) => difference(now, home) < 2, 'the home screen again');
  t.equal((await server.inspect('android', session.id)).foreground, 'home');
  t.same(viewer.faults, []);
});
