import { Bridge } from './bridge.ts';
import { controlAddress, readAddress } from './connection/address.ts';
import { endingOf, refusalOf, SESSION_GONE } from './connection/ending.ts';
import { waysOfThisBrowser } from './screen/choose.ts';
import type { LatencyFigures } from './screen/latency.ts';
import { ScreenStream } from './screen/screen-stream.ts';
import { runSoftwareWorker } from './screen/software-worker.ts';
import { buildPage } from './ui/page.ts';
import { Viewer } from './viewer.ts';

declare global {
  interface Window {
    /** For tests and for curious people; nothing can be done with it. */
    runcloudViewer?: { readonly state: string; readonly figures: LatencyFigures };
  }
}

/** The viewer page. The same bundle is the worker of its software decoder, so that the page is one file. */
async function openPage(app: HTMLElement): Promise<void> {
  const address = readAddress(location, app.dataset);
  const viewer = new Viewer({
    platforms: address.platforms,
    addressOf: (platform) => controlAddress(location.origin, address, platform),
    open: (url, protocol) => new WebSocket(url, protocol),
    statusOf: async (url, signal) => (await fetch(url, { cache: 'no-store', signal })).status,
    random: Math.random,
    now: () => performance.now(),
    endingOf,
    refusalOf,
    gone: () => SESSION_GONE,
  });
  const screen = new ScreenStream(viewer, await waysOfThisBrowser());
  const { latency } = buildPage(app, viewer, screen);
  window.runcloudViewer = Object.freeze({
    get state() {
      return viewer.state.kind;
    },
    get figures() {
      return latency.meter.figures(performance.now());
    },
  });
  // After a sleep or a change of network the socket may be gone without a word.
  addEventListener('online', () => viewer.probe());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') viewer.probe();
  });
  const origins = (app.dataset.embedOrigins ?? '').split(' ').filter((origin) => origin !== '');
  Bridge.open({ viewer, frame: window, origins });
  viewer.open();
}

if (typeof document === 'undefined') {
  runSoftwareWorker(self as unknown as Parameters<typeof runSoftwareWorker>[0]);
} else {
  const app = document.querySelector('main');
  if (app) void openPage(app);
}
