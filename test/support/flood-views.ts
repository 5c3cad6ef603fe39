import { CONTROL_SUBPROTOCOL, encodeClientMessage, LIMITS, SCREEN_ENCODINGS } from '@runcloud/protocol';
import { Viewer, type ViewerTarget } from '../../bench/viewers/viewer.ts';
import { viewingToken } from './flood-calls.ts';
import type { FloodOrder } from './flood-order.ts';

/** Where the home screen has the app that never stands still. */
const MOTION = { action: 'tap', x: 0.383, y: 0.292 };
/** Pause before a closed viewer connects again. */
const PAUSE_MS = 20;
/** The maximum number of different streams for the links of a session. */
const PROFILES = LIMITS.screenProfilesPerSession - LIMITS.screenProfilesForKeys;

/** Sets the session's screen in motion; gives what opens sockets by viewer links, and watches in as many ways as there may be. */
export async function prepareViews(order: FloodOrder): Promise<() => void> {
  const { url, session, authorization, sockets } = order;
  await fetch(`${url}${session}/interactions`, {
    method: 'POST',
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify(MOTION),
  });
  const tokens = await Promise.all(
    Array.from({ length: PROFILES / LIMITS.screenProfilesPerLink }, () => viewingToken(order)),
  );
  const { hostname, port } = new URL(url);
  const targets = Array.from({ length: PROFILES }, (_, index): ViewerTarget => {
    const encodings = [SCREEN_ENCODINGS[index % SCREEN_ENCODINGS.length]];
    return {
      host: hostname,
      port: Number(port),
      path: `${session}/control?token=${tokens[index % tokens.length]}`,
      headers: { Origin: url, 'Sec-WebSocket-Protocol': CONTROL_SUBPROTOCOL },
      start: encodeClientMessage({ type: 'screen.start', encodings, maxFps: LIMITS.screenFps.max - index }),
      acknowledges: true,
    };
  });
  const watch = (index: number): void => {
    const target = targets[index % PROFILES];
    if (!target) return;
    let failed = false;
    new Viewer(target, {
      packet: () => undefined,
      opened: () => undefined,
      failed: () => {
        if (!failed) setTimeout(watch, PAUSE_MS, index);
        failed = true;
      },
    });
  };
  return () => {
    for (let index = 0; index < sockets; index++) watch(index);
  };
}
