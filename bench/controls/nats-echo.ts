import uws from 'uWebSockets.js';
import { connect } from '@nats-io/transport-node';
import { controlReady } from './control-process.ts';
import { NATS_CONTROL, type NatsControl } from './nats-control.ts';
import { listenOnFreePort } from './uws-listen.ts';

/** The lower bound of a fleet: each message is a bare NATS request, and its reply is the answer. */
const { servers, user, pass, subject } = JSON.parse(process.env[NATS_CONTROL] ?? '') as NatsControl;
const nats = await connect({ servers, user, pass });
const app = uws.App().ws('/*', {
  message: (socket, message) => {
    // The library takes its memory back.
    void nats.request(subject, new Uint8Array(message.slice(0))).then(({ data }) => socket.send(data, true));
  },
});
listenOnFreePort(app, (port) => controlReady('NATS echo', port));
