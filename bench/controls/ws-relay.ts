import WebSocket, { WebSocketServer } from 'ws';
import { controlAnswer, controlReady } from './control-process.ts';

/**
 * A bare relay on `ws`, in one process: each message is passed on to the agent of a device over another WebSocket, and what the agent
 * answers is passed back. Nothing is read, and nobody else does anything.
 */
const DEVICE_PATH = '/device';
const answer = controlAnswer();
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
/** The clients whose messages the agent has not answered, in order. */
const waiting: WebSocket[] = [];
let device: WebSocket | undefined;

server.on('connection', (socket, { url }) => {
  if (url === DEVICE_PATH) {
    device = socket;
    socket.on('message', (bytes: Buffer) => waiting.shift()?.send(bytes));
  } else {
    socket.on('message', (bytes: Buffer) => {
      waiting.push(socket);
      device?.send(bytes);
    });
  }
});
server.on('listening', () => {
  const address = server.address();
  if (typeof address !== 'object' || !address) return;
  const agent = new WebSocket(`ws://127.0.0.1:${address.port}${DEVICE_PATH}`, { perMessageDeflate: false });
  agent.on('message', () => agent.send(answer));
  agent.once('open', () => controlReady('ws relay', address.port));
});
