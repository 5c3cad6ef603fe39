import { WebSocketServer } from 'ws';
import { controlReady } from './control-process.ts';
import { greeting } from './greeting.ts';

/** The same greeting on the `ws` library. */
const { ready } = greeting();
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket) => {
  // Clients disconnect with a reset.
  socket.on('error', () => undefined);
  socket.send(ready);
});
server.on('listening', () => {
  const address = server.address();
  if (typeof address === 'object' && address) controlReady('ws greet', address.port);
});
