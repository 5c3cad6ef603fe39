import uws, { type WebSocket } from 'uWebSockets.js';
import { controlReady } from './control-process.ts';
import { FAN_OUT_PATHS, fanOutPattern } from './fan-out-pattern.ts';
import { handOverPackets, SEQ_AT } from './hand-over-packets.ts';
import { BUFFERS_ALL, listenOnFreePort } from './uws-listen.ts';

/** The lower bound of a shared screen: sends the same bytes at the same rate to every viewer. */
const TOPIC = 'all';

/** The same time for which the service sends before it returns to the event loop. */
const SLICE_MS = 0.1;

/** A viewer whose acknowledgements are read, and the number of its last packet. They do not influence the sending. */
interface Heard {
  readonly socket: WebSocket<object>;
  seq: number;
  acknowledgedBytes: number;
  bufferedBytes: number;
}

const sending = new Set<WebSocket<object>>();
const heard = new Map<WebSocket<object>, Heard>();
const app = uws.App();
app.ws<object>(FAN_OUT_PATHS.publish, { ...BUFFERS_ALL, open: (socket) => void socket.subscribe(TOPIC) });
app.ws<object>(FAN_OUT_PATHS.send, {
  ...BUFFERS_ALL,
  open: (socket) => void sending.add(socket),
  close: (socket) => void sending.delete(socket),
});
app.ws<object>(FAN_OUT_PATHS.heard, {
  ...BUFFERS_ALL,
  open: (socket) => void heard.set(socket, { socket, seq: 0, acknowledgedBytes: 0, bufferedBytes: 0 }),
  message: (socket, message) => {
    const viewer = heard.get(socket);
    if (viewer) viewer.acknowledgedBytes += new Uint8Array(message).byteLength;
  },
  close: (socket) => void heard.delete(socket),
});

let due: readonly Heard[] = [];
let served = 0;
let bytes: Buffer = Buffer.alloc(0);

function send(packet: Buffer): void {
  bytes = packet;
  if (app.numSubscribers(TOPIC) > 0) app.publish(TOPIC, bytes, true);
  for (const socket of sending) socket.send(bytes, true);
  if (served === due.length && heard.size > 0) {
    due = [...heard.values()];
    served = 0;
    serveSlice();
  }
}

/** Sends to the next viewers, each with its own packet number, until the slice of time is over. */
function serveSlice(): void {
  const endMs = performance.now() + SLICE_MS;
  while (served < due.length && performance.now() < endMs) {
    const viewer = due[served++];
    if (!viewer || !heard.has(viewer.socket)) continue;
    viewer.bufferedBytes = viewer.socket.getBufferedAmount();
    bytes.writeUInt32LE(++viewer.seq, SEQ_AT);
    viewer.socket.send(bytes, true);
  }
  if (served < due.length) setImmediate(serveSlice);
}

handOverPackets(fanOutPattern(), send);
listenOnFreePort(app, (port) => controlReady('uWS fan-out', port));
