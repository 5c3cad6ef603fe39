import { readLook } from '../embed/look.ts';
import { Api } from '../page/api.ts';
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
    resumes: true,
  });
  const screen = new ScreenStream(viewer, await waysOfThisBrowser());
  // A page that frames this one could lead the owner's clicks to what ends a session.
  const api = app.dataset.owner === 'true' && parent === window ? new Api() : undefined;
  const { latency, inspector, dress } = buildPage({ app, viewer, screen, api });
  dress(readLook(location.hash));
  addEventListener('hashchange', () => dress(readLook(location.hash)));
  // The service says on a page of its own why a session is gone, which a refused connection does not tell.
  viewer.on('state', (state) => {
    if (state.kind === 'ended' && viewer.ready && state.ending === SESSION_GONE) location.reload();
  });
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
  Bridge.open({ viewer, inspector, frame: window, origins });
  viewer.open();
}

if (typeof document === 'undefined') {
  runSoftwareWorker(self as unknown as Parameters<typeof runSoftwareWorker>[0]);
} else {
  const app = document.querySelector('main');
  if (app) void openPage(app);
}
