import { startThread } from '../processes/thread.ts';
import { controlAnswer } from './control-process.ts';
import { NumberedSockets } from './numbered-sockets.ts';

/**
 * The bare echo with the service's thread hop: messages that arrive while a group of them is at the worker thread form the
 * next group, and only numbers cross. The answers to one group leave in one write for each socket.
 */
const answer = controlAnswer();
const worker = startThread(new URL('./grouped-hop-worker.ts', import.meta.url));

const sockets = new NumberedSockets();
let waiting: number[] = [];
let isOut = false;

function sendGroup(): void {
  if (isOut || waiting.length === 0) return;
  isOut = true;
  worker.postMessage(waiting);
  waiting = [];
}

function answerGroup(group: readonly number[]): void {
  isOut = false;
  const counts = new Map<number, number>();
  for (const socketId of group) counts.set(socketId, (counts.get(socketId) ?? 0) + 1);
  for (const [socketId, count] of counts) {
    const socket = sockets.get(socketId);
    socket?.cork(() => {
      for (let sent = 0; sent < count; sent++) socket.send(answer, true);
    });
  }
  sendGroup();
}

// The thread's first message says that it is ready.
worker.once('message', () => {
  worker.on('message', answerGroup);
  sockets.listen('grouped hop', (socketId) => {
    waiting.push(socketId);
    sendGroup();
  });
});
