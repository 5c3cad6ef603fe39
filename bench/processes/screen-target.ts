import { type ClientMessage, CONTROL_SUBPROTOCOL, encodeClientMessage } from '@runcloud/protocol';
import type { ViewerTarget } from '../viewers/viewer.ts';
import type { Service, ServiceSession } from './service.ts';

type ScreenStart = Extract<ClientMessage, { readonly type: 'screen.start' }>;
/** The pictures that viewers ask for. */
export type ScreenAsk = Omit<ScreenStart, 'type'>;

/** The target of viewers that watch a session of the service, in H.264 by default, and acknowledge its packets. */
export function screenTarget(
  { server }: Service,
  { control }: ServiceSession,
  ask: ScreenAsk = { encodings: ['h264'] },
): ViewerTarget {
  const { host, port } = server;
  return {
    host,
    port,
    path: new URL(control.url).pathname,
    headers: { ...control.headers, 'Sec-WebSocket-Protocol': CONTROL_SUBPROTOCOL },
    start: encodeClientMessage({ type: 'screen.start', ...ask }),
    acknowledges: true,
  };
}
