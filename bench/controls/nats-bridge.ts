import uws, { type WebSocket } from 'uWebSockets.js';
import { controlReady } from './control-process.ts';
import { connectControl, watchedOn } from './nats-control.ts';
import { BUFFERS_ALL, listenOnFreePort } from './uws-listen.ts';

/** The bare edge of a fleet: sends each NATS message to everybody who is connected. Nobody's acknowledgements are read. */
const { nats, subject } = await connectControl();
const viewers = new Set<WebSocket<object>>();
const tell = () => nats.publish(watchedOn(subject), viewers.size > 0 ? 'yes' : '');
const app = uws.App().ws<object>('/*', {
  ...BUFFERS_ALL,
  open: (socket) => {
    viewers.add(socket);
    tell();
  },
  close: (socket) => {
    viewers.delete(socket);
    tell();
  },
});
nats.subscribe(subject, {
  callback: (_error, { data }) => {
    for (const viewer of viewers) viewer.send(data, true);
  },
});
await nats.flush();
listenOnFreePort(app, (port) => controlReady('NATS bridge', port));
