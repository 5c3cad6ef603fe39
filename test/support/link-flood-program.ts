import { readdirSync } from 'node:fs';
import { constants, platform, setPriority } from 'node:os';
import {
  CONTROL_SUBPROTOCOL,
  encodeClientMessage,
  LIMITS,
  readScreenHeader,
  SCREEN_ENCODINGS,
} from '@runcloud/protocol';
import { WebSocket } from 'ws';
import type { LinkFloodOrder } from './link-flood-order.ts';

/** Does as much as it can by one link, from SIGUSR2 on. It prints a line when it is ready, and ends at a signal or after two minutes. */

const LIFE_MS = 120_000;
/** Bytes that are buffered on one socket at most. */
const AHEAD_BYTES = 512 * 1_024;
/** Between two looks at what can be sent, and before a socket is opened again. */
const PAUSE_MS = 2;

const { flood, role, origin, path } = JSON.parse(process.argv[2] ?? '') as LinkFloodOrder;

/** A flood comes from other machines: what it takes to send it is not taken from the service and from whoever measures. */
function giveWay(): void {
  const threads = platform() === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  for (const thread of threads) setPriority(thread, constants.priority.PRIORITY_LOW);
}

let count = 0;
const next = () => `${flood}-${role}-${process.pid}-${++count}`;
const interaction = (fields: object) =>
  encodeClientMessage({ type: 'interaction', requestId: next(), acks: 'all', ...fields });

/** Opens a socket, and again whenever it is closed or refused. */
function keepOpen(onOpen: (socket: WebSocket) => void, onMessage?: (socket: WebSocket, bytes: Buffer) => void): void {
  const socket = new WebSocket(origin.replace('http', 'ws') + path, CONTROL_SUBPROTOCOL, {
    headers: { Origin: origin },
  });
  socket.on('open', () => onOpen(socket));
  if (onMessage) socket.on('message', (bytes: Buffer) => onMessage(socket, bytes));
  socket.on('error', () => undefined);
  socket.on('close', () => setTimeout(keepOpen, PAUSE_MS, onOpen, onMessage));
}

/** Sends what `make` makes as fast as it leaves. */
function pour(socket: WebSocket, make: () => Uint8Array): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  for (let round = 0; round < 200 && socket.bufferedAmount < AHEAD_BYTES; round++) socket.send(make());
  setTimeout(pour, PAUSE_MS, socket, make);
}

/** Short, long and refused messages in turn; interactions where the link may control. */
function messages(): () => Uint8Array {
  const points = [{ x: 0.5, y: 0.5 }];
  const step = (phase: string) => ({ phase, points });
  const ping = encodeClientMessage({ type: 'ping', id: 7 });
  const ack = encodeClientMessage({ type: 'screen.ack', streamId: 1, seq: 1 });
  const long = encodeClientMessage({ type: 'ping', id: 'x'.repeat(LIMITS.viewMessageBytes - 64) });
  const steps = Array.from({ length: LIMITS.gestureSteps.max }, (_, index) => step(index === 0 ? 'begin' : 'move'));
  const gesture = encodeClientMessage({ type: 'interaction', requestId: 'refused', action: 'gesture', steps });
  const tap = () => interaction({ action: 'tap', x: 0.5, y: 0.5 });
  const made = [() => ping, tap, () => ack, tap, role === 'view' ? () => long : () => gesture];
  let turn = 0;
  return () => (made[turn++ % made.length] ?? tap)();
}

/** Begins and ends streams, no two alike, and shows all the pictures that come. */
function stream(socket: WebSocket, bytes: Buffer): void {
  const header = readScreenHeader(bytes);
  if (header) socket.send(encodeClientMessage({ type: 'screen.ack', streamId: header.streamId, seq: header.seq }));
}

function start(): Uint8Array {
  const encodings = [SCREEN_ENCODINGS[++count % SCREEN_ENCODINGS.length]];
  const quality = 1 + (count % 100);
  return encodeClientMessage({ type: 'screen.start', encodings, quality, maxLongEdge: 1_000 + (count % 500) });
}

const FLOODS: Readonly<Record<LinkFloodOrder['flood'], () => void>> = {
  messages: () => {
    const make = messages();
    for (let socket = 0; socket < 20; socket++) keepOpen((opened) => pour(opened, make));
  },
  // More than one link may have: those beyond are refused, and all of them come again.
  sockets: () => {
    for (let socket = 0; socket < LIMITS.socketsPerLink + 20; socket++) {
      setTimeout(keepOpen, socket, (opened: WebSocket) => void setTimeout(() => opened.close(), 2_000));
    }
  },
  streams: () => {
    for (let socket = 0; socket < 8; socket++) {
      let streamId = 0;
      const again = (opened: WebSocket) => {
        if (opened.readyState !== WebSocket.OPEN) return;
        opened.send(start());
        if (++streamId > 2) opened.send(encodeClientMessage({ type: 'screen.stop', streamId: streamId - 2 }));
        setTimeout(again, 20, opened);
      };
      keepOpen((opened) => {
        streamId = 0;
        again(opened);
      }, stream);
    }
  },
  stills: () => {
    for (let socket = 0; socket < 4; socket++) {
      keepOpen((opened) => pour(opened, () => encodeClientMessage({ type: 'screenshot', requestId: next() })));
    }
  },
};

process.on('SIGUSR2', () => {
  giveWay();
  FLOODS[flood]();
});
setTimeout(() => process.exit(1), LIFE_MS);
// Last: before this, the signal would end the program.
process.stdout.write('ready\n');
