import t from 'tap';
import type { Certificate } from '../../server/certify/certificate.ts';
import { certificatePage } from '../../server/certify/html.ts';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { onePixel } from '../support/one-pixel.ts';

const HOSTILE = '<img src=x onerror=alert(1)>&"';

const certificate = async (): Promise<Certificate> => ({
  entry: HOSTILE,
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 61_000,
  versions: { service: '1', node: 'v20', os: HOSTILE },
  device: { platform: 'ios', driver: 'x', model: HOSTILE, osVersion: '1', width: 1, height: 2, scale: 3 },
  passed: false,
  interrupted: false,
  rows: [
    { id: 'a', title: 'A row', outcome: 'passed', detail: 'fine', durationMs: 100, picture: await onePixel() },
    { id: 'b', title: 'Another', outcome: 'failed', detail: `${HOSTILE} ${'x'.repeat(300)}`, durationMs: 4_000 },
    { id: 'c', title: 'A third', outcome: 'not offered', detail: 'no', durationMs: 0 },
  ],
  latencies: { service: { count: 3, medianMs: 1.25, maxMs: 2 } },
});

t.test('texts of a device are shown as text on the page, never as markup', async (t) => {
  const page = certificatePage(await certificate());
  t.notMatch(page, /<img src=x/);
  t.match(page, /<title>Certificate of &lt;img src=x onerror=alert\(1\)&gt;&amp;&quot;<\/title>/);
  t.match(page, /1 passed, 1 failed, 1 not offered/);
  t.match(page, /1\.25 ms \(at most 2 ms, 3 times\)/);
  t.notMatch(page.replaceAll('data:', ''), /(src|href)="[^"]*:/, 'it needs no other file');
});

t.test('the page fits a desktop and a phone, light and dark', { skip: withoutBrowser }, async (t) => {
  const browser = await startBrowser(t);
  const html = certificatePage(await certificate());
  const grounds = new Set<string>();
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1_280, 390]) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await context.newPage();
      await page.setContent(html);
      t.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      t.equal(
        await page.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth),
        1,
        'the evidence is seen',
      );
      grounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
      await context.close();
    }
  }
  t.equal(grounds.size, 2);
});
