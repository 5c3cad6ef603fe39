import { readdirSync } from 'node:fs';
import { constants, platform, setPriority } from 'node:os';
import { CONTROL_SUBPROTOCOL, encodeClientMessage, LIMITS } from '@runcloud/protocol';
import { WebSocket } from 'ws';
import { prepareCalls } from './flood-calls.ts';
import type { FloodKind, FloodOrder } from './flood-order.ts';
import { prepareViews } from './flood-views.ts';

/**
 * A program that sends messages or bodies of one kind as fast as it can. It prints a line when its sockets are open, begins
 * at SIGUSR2, and ends at a signal, or by itself after a minute.
 */

const LIFE_MS = 60_000;
/** Maximum number of bytes that are buffered on one socket. */
const AHEAD_BYTES = 512 * 1_024;

const order = JSON.parse(process.argv[2] ?? '') as FloodOrder;
const { url, session, authorization, sockets, kind } = order;
/** Sockets that are open before the flood begins; what floods a full session are the attempts to open one more. */
const opening = kind === 'full session' ? LIMITS.socketsPerSession : sockets;
/** Interactions that are sent behind a gesture in a round, by all sockets together. */
const QUEUED = 10_000;
const ROUND_MS = 2_000;

/** A flood comes from other machines: what it takes to send it is not taken from the service and from whoever measures. */
function giveWay(): void {
  // Linux has priorities of threads, and this program's collector has its own.
  const threads = platform() === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  for (const thread of threads) setPriority(thread, constants.priority.PRIORITY_LOW);
}
let begun = false;
let opened = 0;
let sent = 0;

const steps = (last: object) =>
  Array.from({ length: LIMITS.gestureSteps.max }, (_, index) => ({
    phase: index === 0 ? 'begin' : 'move',
    points: [
      { x: (index + 0.123) / 1_001, y: 0.5123 },
      { x: 0.25123, y: (index + 0.321) / 1_001 },
    ],
    ...(index === LIMITS.gestureSteps.max - 1 ? { phase: 'end', ...last } : {}),
  }));
const REFUSED = {
  points: [
    { x: 0, y: 0 },
    { x: 0, y: 2 },
  ],
};
const interaction = (fields: object) =>
  encodeClientMessage({ type: 'interaction', requestId: `f-${++sent}`, acks: 'final', ...fields });
/** Many of one kind are made ahead: making them would be the slowest part. */
const some = (count: number, make: () => Uint8Array): Uint8Array[] => Array.from({ length: count }, make);
const gestures = some(50, () => interaction({ action: 'gesture', steps: steps({}) }));
const FRAMES: Readonly<Partial<Record<FloodKind, readonly Uint8Array[]>>> = {
  // As many bytes, and hardly anything to do.
  cheap: [encodeClientMessage({ type: 'ping', id: new Uint8Array(gestures[0]?.length ?? 0) })],
  gesture: gestures,
  'refused gesture': some(1, () => interaction({ action: 'gesture', steps: steps(REFUSED) })),
  taps: some(5_000, () => interaction({ action: 'tap', x: 0.5, y: 0.5 })),
  acknowledgements: [encodeClientMessage({ type: 'screen.ack', streamId: 1, seq: 1 })],
  text: some(500, () => interaction({ action: 'typeText', text: 'x'.repeat(LIMITS.textCharacters.max) })),
};
const BODY = JSON.stringify({ action: 'gesture', requestId: 'body', steps: steps(REFUSED) });

/** Ends the long gesture of the round before, which lets go what waits behind it, and lines up behind another one. */
function queue(socket: WebSocket, isFirst: boolean): void {
  if (isFirst) {
    if (sent > 0) socket.send(encodeClientMessage({ type: 'cancel', requestId: `f-${lastGesture}` }));
    const points = [{ x: 0.5, y: 0.5 }];
    const held = [
      { phase: 'begin', points },
      { phase: 'end', points, delayMs: 10_000 },
    ];
    socket.send(interaction({ action: 'gesture', steps: held }));
    lastGesture = sent;
  }
  for (let count = 0; count < QUEUED / sockets; count++) socket.send(interaction({ action: 'tap', x: 0.5, y: 0.5 }));
}

let lastGesture = 0;

function openSocket(isFirst = false): void {
  const headers = { Authorization: authorization };
  const socket = new WebSocket(`${url.replace('http', 'ws')}${session}/control`, CONTROL_SUBPROTOCOL, { headers });
  let next = 0;
  const pump = () => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (!begun) return void setTimeout(pump, 2);
    if (kind === 'sockets') return socket.close();
    if (kind === 'queue') {
      queue(socket, isFirst);
      return void setTimeout(pump, ROUND_MS);
    }
    for (let count = 0; count < 200 && kind === 'pings' && socket.bufferedAmount < AHEAD_BYTES; count++) socket.ping();
    const frames = FRAMES[kind] ?? [];
    for (let count = 0; count < 200 && frames.length > 0 && socket.bufferedAmount < AHEAD_BYTES; count++) {
      socket.send(frames[next++ % frames.length] ?? '');
    }
    setTimeout(pump, 2);
  };
  socket.on('open', () => {
    if (++opened === opening) process.stdout.write('open\n');
    pump();
  });
  // Connects again after it was closed for too many refusals.
  socket.on('close', () => setTimeout(() => openSocket(isFirst), 20));
  socket.on('error', () => undefined);
}

const beginOthers = kind === 'views' ? await prepareViews(order) : await prepareCalls(order, BODY);
for (let index = 0; index < opening; index++) setTimeout(() => openSocket(index === 0), index);
process.on('SIGUSR2', () => {
  begun = true;
  giveWay();
  beginOthers?.();
  if (kind === 'full session') for (let index = 0; index < sockets; index++) openSocket();
});
setTimeout(() => process.exit(1), LIFE_MS);
