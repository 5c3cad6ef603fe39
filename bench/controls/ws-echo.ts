import { WebSocketServer } from 'ws';
import { controlAnswer, controlReady } from './control-process.ts';

/** The same echo on `ws`, the library that most Node.js services use. */
const answer = controlAnswer();
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket) => socket.on('message', () => socket.send(answer)));
server.on('listening', () => {
  const address = server.address();
  if (typeof address === 'object' && address) controlReady('ws echo', address.port);
});
