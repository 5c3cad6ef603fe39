import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { controlAnswer, controlReady } from '../controls/control-process.ts';

/**
 * socket.io with acknowledgements, on WebSockets alone: no polling before the upgrade. `bufferutil` is installed beside it.
 * https://socket.io/docs/v4/performance-tuning/ and https://socket.io/docs/v4/emitting-events/#acknowledgements
 */
const answer = JSON.parse(Buffer.from(controlAnswer()).toString());
const server = createServer();
const io = new Server(server, { transports: ['websocket'], serveClient: false });

io.on('connection', (socket) => {
  socket.on('interaction', (request, acknowledge) => {
    const acceptedAt = new Date().toISOString();
    acknowledge({ ...answer, requestId: request.requestId, acceptedAt, completedAt: new Date().toISOString() });
  });
});
server.listen(0, '127.0.0.1', () => controlReady('socket.io', server.address().port));
