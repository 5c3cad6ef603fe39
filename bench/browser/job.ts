import type { Reply } from '../processes/reply.ts';
import type { Percentiles } from '../report/percentiles.ts';

/** Messages between the bench and its browser process: structured clones over the process channel. */
export interface BrowserOrder {
  /** The client that taps: one of the DevTools protocol, or Playwright. */
  readonly by: BrowserTapper;
  readonly measureMs: number;
}

export type BrowserTapper = 'DevTools' | 'Playwright';

export interface BrowserFigures extends Percentiles {
  /** Taps that were answered in the measured time, one after the other. */
  readonly answers: number;
  readonly perSecond: number;
}

export type BrowserReply = Reply<BrowserFigures>;

/** A page in Chromium that can be tapped; resolves when the browser has answered. */
export interface TapPage {
  tap(x: number, y: number): Promise<void>;
  close(): Promise<void>;
}

/** The virtual iPhone's own size. */
export const PAGE_SIZE = { width: 590, height: 1280 } as const;
