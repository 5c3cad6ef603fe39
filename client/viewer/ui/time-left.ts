import { element } from '../../page/element.ts';
import type { Viewer } from '../viewer.ts';

const EVERY_MS = 5_000;

/** Time in words, rounded down; seconds only where they matter. */
export function spanText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.max(0, Math.floor(ms / 1_000))} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** How long the session lasts at most: its inactivity timeout begins anew with each input, and has a notice of its own. */
export function timeLeft(viewer: Viewer): HTMLElement {
  const shown = element('span', { class: 'left', hidden: true });
  /** The service's clock minus that of this page. */
  let aheadMs = 0;
  const show = (): void => {
    const { ready, state } = viewer;
    shown.hidden = !ready || state.kind === 'ended';
    if (!ready) return;
    const { createdAt, hardTimeoutMs } = ready.session;
    const leftMs = Date.parse(createdAt) + hardTimeoutMs - (Date.now() + aheadMs);
    shown.textContent = `${spanText(leftMs)} left`;
    shown.title = `The session ends at ${new Date(Date.parse(createdAt) + hardTimeoutMs - aheadMs).toLocaleTimeString()}, or sooner if nobody uses it`;
  };
  viewer.on('ready', ({ serverTimeUs }) => {
    aheadMs = serverTimeUs / 1_000 - Date.now();
    show();
  });
  viewer.on('state', show);
  setInterval(show, EVERY_MS);
  return shown;
}
