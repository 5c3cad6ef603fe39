import type { Event, SessionRecord } from '@runcloud/protocol';
import { element } from '../../page/element.ts';
import { icon } from '../../page/icons.ts';
import { controlAddress } from '../../viewer/connection/address.ts';
import { endingOf, refusalOf, SESSION_GONE } from '../../viewer/connection/ending.ts';
import { Inspector } from '../../viewer/inspector/inspector.ts';
import { waysOfThisBrowser } from '../../viewer/screen/choose.ts';
import { Painter } from '../../viewer/screen/painter.ts';
import { type ScreenProfile, ScreenStream } from '../../viewer/screen/screen-stream.ts';
import { Viewer } from '../../viewer/viewer.ts';

export interface LivePictureOptions {
  readonly profile: ScreenProfile;
  /** Aborted when nobody sees the picture any more. */
  readonly leaving: AbortSignal;
  readonly onEvent?: (event: Event) => void;
  /** For a page that has a place for the inspector, of a device that tells of its elements. */
  readonly inspect?: { readonly say: (sentence: string) => void; readonly offered: (inspector: Inspector) => void };
}

/**
 * The screen of a session as it moves, without any control: a socket with the role `view`, which does not keep the
 * session from its inactivity timeout. Sockets that ask for the same profile share one encoder.
 */
export function livePicture(session: SessionRecord, options: LivePictureOptions): HTMLElement {
  const { profile, leaving, onEvent, inspect } = options;
  const { id: sessionId, platform, url, orientation, device } = session;
  const canvas = element('canvas', { role: 'img', 'aria-label': `Live picture of ${device.model}`, hidden: true });
  const state = element('span', { class: 'live-state', role: 'status' });
  const screen = element('span', { class: 'screen live' }, icon('phone'), canvas, state);
  const shape = (width: number, height: number) => {
    screen.style.aspectRatio = `${width} / ${height}`;
    screen.classList.toggle('lying', width > height);
  };
  if (orientation.startsWith('landscape')) shape(device.height, device.width);
  else shape(device.width, device.height);
  const painter = new Painter(canvas, shape);
  const address = { sessionId, platforms: [platform], token: new URL(url).searchParams.get('token') ?? '' };
  const viewer = new Viewer({
    platforms: address.platforms,
    addressOf: () => {
      const to = controlAddress(location.origin, address, platform);
      to.searchParams.set('role', 'view');
      return to;
    },
    open: (to, protocol) => new WebSocket(to, protocol),
    statusOf: async (to, signal) => (await fetch(to, { cache: 'no-store', signal })).status,
    random: Math.random,
    now: () => performance.now(),
    endingOf,
    refusalOf,
    gone: () => SESSION_GONE,
    resumes: true,
  });
  viewer.on('state', ({ kind }) => {
    screen.classList.toggle('still', kind === 'waiting' || kind === 'ended');
    state.textContent = kind === 'waiting' ? 'Reconnecting…' : kind === 'ended' ? 'Ended' : '';
  });
  if (onEvent) viewer.on('event', onEvent);
  const inspector = inspect && new Inspector({ viewer, surface: screen, say: inspect.say, leaving });
  const offer = viewer.on('ready', ({ capabilities }) => {
    offer();
    if (inspector && capabilities.ui) inspect.offered(inspector);
  });
  void waysOfThisBrowser().then((ways) => {
    if (leaving.aborted) return;
    // A worker of this bundle would be a second dashboard; where WebCodecs is missing, JPEG pictures come.
    ways.delete('software');
    const stream = new ScreenStream(viewer, ways, profile);
    stream.on('picture', (picture) => {
      painter.draw(picture);
      canvas.hidden = false;
      inspector?.pictured();
    });
    viewer.open();
  });
  leaving.addEventListener('abort', () => viewer.close());
  return screen;
}
