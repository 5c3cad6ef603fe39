import uws from 'uWebSockets.js';
import { controlReady } from './control-process.ts';
import { connectControl } from './nats-control.ts';
import { listenOnFreePort } from './uws-listen.ts';

/** The lower bound of a fleet: each message is a bare NATS request, and its reply is the answer. */
const { nats, subject } = await connectControl();
const app = uws.App().ws('/*', {
  message: (socket, message) => {
    // The library takes its memory back.
    void nats.request(subject, new Uint8Array(message.slice(0))).then(({ data }) => socket.send(data, true));
  },
});
listenOnFreePort(app, (port) => controlReady('NATS echo', port));
