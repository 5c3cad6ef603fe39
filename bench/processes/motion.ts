import { CONTROL_SUBPROTOCOL, encodeClientMessage } from '@runcloud/protocol';
import type { ViewerTarget } from '../viewers/viewer.ts';
import type { Service, ServiceSession } from './service.ts';

/** The app that never stands still, on the home screen of the virtual iPhone. */
const MOTION = { action: 'tap', x: 0.388, y: 0.32 } as const;

/** Makes the session's screen move from now on. */
export async function openMotion(service: Service, { interactionsPath }: ServiceSession): Promise<void> {
  await service.post(interactionsPath, MOTION);
}

/** How a viewer watches a session of the service, in H.264 and acknowledging what it gets. */
export function screenTarget({ server }: Service, { control }: ServiceSession): ViewerTarget {
  const { host, port } = server;
  return {
    host,
    port,
    path: new URL(control.url).pathname,
    headers: { ...control.headers, 'Sec-WebSocket-Protocol': CONTROL_SUBPROTOCOL },
    start: encodeClientMessage({ type: 'screen.start', encodings: ['h264'] }),
    acknowledges: true,
  };
}
