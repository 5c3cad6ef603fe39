import { chromiumProgram } from '../../photon/chromium.ts';
import { BrowserProcess } from '../../processes/browser-process.ts';
import { PEERS_COMMAND, peersInstalled } from '../../processes/peers.ts';
import type { Layout } from '../../processes/pin.ts';
import { missedGoals } from '../../report/goals.ts';
import { compareRows } from '../../report/ratios.ts';
import { measureRequests, measureRows } from '../requests/measure.ts';
import { formatLayouts, type LayoutFigures, layoutGoals } from '../requests/report.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import type { RoundFigures } from '../tap/figures.ts';
import { PeersBed } from './bed.ts';
import { ratioTitle } from './ratio-title.ts';
import { PEER_ROWS, type PeerRow, type PeerServer } from './rows.ts';
import { peerComparisons } from './targets.ts';

/** A browser needs tens of milliseconds for a tap, so its rows need a multiple of the measuring time. */
const BROWSER_TIMES = 5;

const METHOD = `Medians over interleaved rounds; round 0 and the first moments of each row are thrown away. Each peer is set up as its
documentation advises and does the same work: takes one tap and acknowledges it. Ratios are times quicker, or times more
in a second: more is better. bench/README.md says more.`;

/** The rows that can be measured on this machine, and the reasons why the others cannot. */
function rowsHere(layout: Layout, controlsOnly: boolean) {
  const installed = peersInstalled();
  const browser = chromiumProgram() !== undefined;
  const rows = PEER_ROWS.filter(({ tapped }) => {
    if ('browser' in tapped) return browser && layout === 'two-cores';
    return tapped.server === 'RunCloud' ? !controlsOnly : installed;
  });
  const missing = [
    ...(installed ? [] : [`socket.io and Appium are not installed and not measured: ${PEERS_COMMAND}`]),
    ...(browser ? [] : ['No Chromium on this machine: DevTools and Playwright are not measured']),
  ];
  return { rows, missing };
}

async function measureLayout(
  layout: Layout,
  rows: readonly PeerRow[],
  options: ScenarioOptions,
): Promise<LayoutFigures> {
  options.progress(`${layout}: starting servers`);
  const servers = rows.flatMap(({ tapped }): PeerServer[] => ('server' in tapped ? [tapped.server] : []));
  const bed = await PeersBed.open(layout, new Set(servers));
  const browser = rows.some(({ tapped }) => 'browser' in tapped) ? new BrowserProcess() : undefined;
  const measure = async (row: PeerRow, measureMs: number): Promise<RoundFigures> => {
    if (!('browser' in row.tapped)) return measureRequests(bed, row, measureMs);
    if (!browser) throw new Error('the browser process is not running');
    const figures = await browser.run({ by: row.tapped.browser, measureMs: measureMs * BROWSER_TIMES });
    // A browser consists of several processes, whose processor time is not counted.
    return { ...figures, answersInAll: figures.answers, loadCoreShare: Number.NaN, serverCpuUs: Number.NaN };
  };
  try {
    const figures = await measureRows(layout, bed, rows, options, measure);
    const names = new Set(figures.map(({ name }) => name));
    // A goal relative to a peer that is not installed is neither met nor missed.
    const comparisons = peerComparisons(layout).filter(({ of, to }) => isThere(of, names) && isThere(to, names));
    return { layout, rows: figures, ratios: compareRows(figures, comparisons) };
  } finally {
    await browser?.stop();
  }
}

const OURS: ReadonlySet<string> = new Set(
  PEER_ROWS.filter(({ tapped }) => 'server' in tapped && tapped.server === 'RunCloud').map(({ name }) => name),
);
/** The service's own rows always count as present: if it could not be measured, its goals are missed. */
const isThere = (name: string, measured: ReadonlySet<string>): boolean => OURS.has(name) || measured.has(name);

/** Measures a tap beside other programs that accept taps from programs. */
export const peers: Scenario = {
  name: 'peers',
  summary: 'a tap over the control socket, beside Appium, socket.io, DevTools and Playwright',
  share: { rounds: 2 },
  async run(options) {
    const layouts: LayoutFigures[] = [];
    let missing: string[] = [];
    for (const layout of options.layouts) {
      const here = rowsHere(layout, options.controlsOnly);
      missing = here.missing;
      layouts.push(await measureLayout(layout, here.rows, options));
    }
    const goals = layoutGoals(layouts, ratioTitle);
    const text = formatLayouts('tap', layouts, ratioTitle, [...missing, METHOD]);
    return { text, figures: { layouts, missing }, goals, missed: missedGoals(goals) };
  },
};
