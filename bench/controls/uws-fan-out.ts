import uws, { type WebSocket } from 'uWebSockets.js';
import { controlAnswer, controlReady } from './control-process.ts';
import { FAN_OUT_PATHS, type FanOutPattern } from './fan-out-pattern.ts';
import { listenOnFreePort } from './uws-listen.ts';

/** The lower bound of a shared screen: sends the same bytes at the same rate to every viewer. */
const { sizes, perSecond }: FanOutPattern = JSON.parse(Buffer.from(controlAnswer()).toString());
const TOPIC = 'all';
/** Large enough to buffer everything for a slow viewer: a bare sender drops nothing. */
const MAX_BACKPRESSURE_BYTES = 256 * 1_048_576;
const SCREEN_PACKET = 0x01;
const HEADER_BYTES = 32;

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
const behaviour = { maxBackpressure: MAX_BACKPRESSURE_BYTES, compression: uws.DISABLED };
app.ws<object>(FAN_OUT_PATHS.publish, { ...behaviour, open: (socket) => void socket.subscribe(TOPIC) });
app.ws<object>(FAN_OUT_PATHS.send, {
  ...behaviour,
  open: (socket) => void sending.add(socket),
  close: (socket) => void sending.delete(socket),
});
app.ws<object>(FAN_OUT_PATHS.heard, {
  ...behaviour,
  open: (socket) => void heard.set(socket, { socket, seq: 0, acknowledgedBytes: 0, bufferedBytes: 0 }),
  message: (socket, message) => {
    const viewer = heard.get(socket);
    if (viewer) viewer.acknowledgedBytes += new Uint8Array(message).byteLength;
  },
  close: (socket) => void heard.delete(socket),
});

const packet = Buffer.alloc(Math.max(HEADER_BYTES, ...sizes));
packet[0] = SCREEN_PACKET;
const startMs = performance.now();
let sent = 0;
let due: readonly Heard[] = [];
let served = 0;
let bytes = packet;

function sendNext(): void {
  bytes = packet.subarray(0, Math.max(HEADER_BYTES, sizes[sent % sizes.length] ?? 0));
  packet.writeUInt32LE(++sent, 8);
  packet.writeBigUInt64LE(BigInt(Math.round((performance.timeOrigin + performance.now()) * 1_000)), 16);
  if (app.numSubscribers(TOPIC) > 0) app.publish(TOPIC, bytes, true);
  for (const socket of sending) socket.send(bytes, true);
  if (served === due.length && heard.size > 0) {
    due = [...heard.values()];
    served = 0;
    serveSlice();
  }
  // Planned from the start time, so that late timers do not lower the rate. Packets missed in a pause are not sent later.
  const nextMs = startMs + (sent * 1_000) / perSecond;
  setTimeout(sendNext, Math.max(0, nextMs - performance.now()));
}

/** Sends to the next viewers, each with its own packet number, until the slice of time is over. */
function serveSlice(): void {
  const endMs = performance.now() + SLICE_MS;
  while (served < due.length && performance.now() < endMs) {
    const viewer = due[served++];
    if (!viewer || !heard.has(viewer.socket)) continue;
    viewer.bufferedBytes = viewer.socket.getBufferedAmount();
    packet.writeUInt32LE(++viewer.seq, 8);
    viewer.socket.send(bytes, true);
  }
  if (served < due.length) setImmediate(serveSlice);
}

sendNext();
listenOnFreePort(app, (port) => controlReady('uWS fan-out', port));
