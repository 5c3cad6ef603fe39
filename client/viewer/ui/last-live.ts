import { element } from '../../page/element.ts';
import type { Viewer } from '../viewer.ts';
import { spanText } from './time-left.ts';

const EVERY_MS = 1_000;

/** How old the picture is while it is not live; for those who look, since it changes all the time. */
export function lastLive(viewer: Viewer): HTMLElement {
  const shown = element('p', { class: 'last-live', 'aria-hidden': 'true', hidden: true });
  let timer: ReturnType<typeof setInterval> | undefined;
  const show = (): void => {
    const { silentMs = 0 } = viewer;
    shown.textContent = `Live ${spanText(Math.max(EVERY_MS, silentMs))} ago`;
  };
  const follow = (): void => {
    clearInterval(timer);
    const { kind } = viewer.state;
    shown.hidden =
      viewer.silentMs === undefined || kind === 'ended' || (kind === 'connected' && viewer.liveness !== 'lost');
    if (shown.hidden) return;
    show();
    timer = setInterval(show, EVERY_MS);
  };
  viewer.on('state', follow);
  viewer.on('liveness', follow);
  return shown;
}
