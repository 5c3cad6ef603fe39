import uws from 'uWebSockets.js';
import { controlReady } from './control-process.ts';
import { greeting } from './greeting.ts';
import { listenOnFreePort } from './uws-listen.ts';

/** The lower bound of a connection: the same WebSocket library, which greets with the service's own first message. */
const { ready, picture } = greeting();
const app = uws.App().ws('/*', {
  maxBackpressure: 64 * 1_048_576,
  open: (socket) => void socket.send(ready, true),
  message: (socket) => void socket.send(picture, true),
});
listenOnFreePort(app, (port) => controlReady('uWS greet', port));
