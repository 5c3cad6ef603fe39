import uws from 'uWebSockets.js';
import { controlAnswer, controlReady } from './control-process.ts';
import { listenOnFreePort } from './uws-listen.ts';

/** The lower bound of the control socket: the same WebSocket library, and no work between message and answer. */
const answer = controlAnswer();
const app = uws.App().ws('/*', { message: (socket) => void socket.send(answer, true) });
listenOnFreePort(app, (port) => controlReady('uWS echo', port));
