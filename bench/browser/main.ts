import { nowUs } from '../load/measure-window.ts';
import { placeOf } from '../photon/places.ts';
import { inTime } from '../photon/tap-loop.ts';
import { LatencySamples } from '../report/percentiles.ts';
import { openDevToolsPage } from './dev-tools-page.ts';
import { type BrowserFigures, type BrowserOrder, type BrowserReply, PAGE_SIZE, type TapPage } from './job.ts';
import { openPlaywrightPage } from './playwright-page.ts';

/** The browser process: taps a page, each tap after the answer to the one before. Each order gets a browser of its own. */
const WARM_UP_TAPS = 8;
/** More taps than a browser answers. */
const TAPS_PER_SECOND_MAX = 10_000;

async function tapFor(page: TapPage, measureMs: number): Promise<BrowserFigures> {
  const samples = new LatencySamples(Math.ceil((measureMs / 1_000) * TAPS_PER_SECOND_MAX));
  let n = 0;
  const tap = async () => {
    const { x, y } = placeOf(n++);
    const sentUs = nowUs();
    await inTime(page.tap(Math.floor(x * PAGE_SIZE.width), Math.floor(y * PAGE_SIZE.height)), 'a tap in the browser');
    return nowUs() - sentUs;
  };
  while (n < WARM_UP_TAPS) await tap();
  const fromUs = nowUs();
  while (nowUs() < fromUs + measureMs * 1_000) samples.add(await tap());
  const tookUs = nowUs() - fromUs;
  return { ...samples.percentiles(), answers: samples.count, perSecond: samples.count / (tookUs / 1_000_000) };
}

async function carryOut({ by, measureMs }: BrowserOrder): Promise<BrowserFigures> {
  const page = await (by === 'DevTools' ? openDevToolsPage() : openPlaywrightPage());
  try {
    return await tapFor(page, measureMs);
  } finally {
    await page.close();
  }
}

process.on('message', (order: BrowserOrder) => {
  const reply = (answer: BrowserReply) => void process.send?.(answer);
  carryOut(order).then(
    (figures) => reply({ ok: true, figures }),
    (error: unknown) => reply({ ok: false, error: error instanceof Error ? error.message : String(error) }),
  );
});
// In a child of the bench the channel is unreferenced, but this process has nothing else that keeps it alive.
process.channel?.ref();
