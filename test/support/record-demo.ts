import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { withLinks } from './dashboard-client.ts';
import { startServer } from './server.ts';

/** Records `.github/demo.webp` from the product itself: `node --import tsx test/support/record-demo.ts`, with Debian's Chromium. */

const SIZE = { width: 1_000, height: 780 };
const FRAME_MS = 120;

const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:1,virtual-android:1' });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
const frames: Buffer[] = [];
const delays: number[] = [];
const shoot = async (count = 1, delayMs = FRAME_MS) => {
  for (let shot = 0; shot < count; shot++) {
    frames.push(await page.screenshot());
    delays.push(delayMs);
  }
};

await page.goto(server.url + withLinks(server.dataDir, (links) => links.signIn('local').path));
const start = page.getByRole('button', { name: /iPhone/ });
await start.waitFor();
await shoot(1, 1_200);
await start.click();
const screen = page.locator('canvas').first();
await screen.waitFor();
await page.waitForTimeout(800);
await shoot(1, 900);
const box = await screen.boundingBox();
if (!box) throw new Error('the screen has no place');
const click = (x: number, y: number) => page.mouse.click(box.x + x * box.width, box.y + y * box.height);
await click(0.39, 0.92);
await shoot(4);
for (const letter of 'Hello from a browser') {
  await page.keyboard.type(letter);
  await shoot(1, 90);
}
await shoot(1, 1_500);

const { width, height } = SIZE;
await sharp(Buffer.concat(await Promise.all(frames.map((png) => sharp(png).removeAlpha().raw().toBuffer()))), {
  raw: { width, height: height * frames.length, channels: 3, pageHeight: height },
})
  .webp({ quality: 88, effort: 6, loop: 0, delay: delays })
  .toFile('.github/demo.webp');
await browser.close();
await server.close();
process.exit(0);
