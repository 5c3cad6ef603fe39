import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { controlAnswer, controlReady } from '../controls/control-process.ts';
import { startDeviceThread } from './device-thread.mjs';

/**
 * socket.io with acknowledgements, over WebSockets only, without polling first. `bufferutil` is installed, too.
 * https://socket.io/docs/v4/performance-tuning/ and https://socket.io/docs/v4/emitting-events/#acknowledgements
 * With `DEVICE_THREAD` a tap is acknowledged once another thread has taken it.
 */
const answer = JSON.parse(Buffer.from(controlAnswer()).toString());
const server = createServer();
const io = new Server(server, { transports: ['websocket'], serveClient: false });

const performTap = process.env.DEVICE_THREAD ? startDeviceThread() : undefined;

io.on('connection', (socket) => {
  socket.on('interaction', async (request, acknowledge) => {
    const acceptedAt = new Date().toISOString();
    if (performTap) await performTap(request);
    acknowledge({ ...answer, requestId: request.requestId, acceptedAt, completedAt: new Date().toISOString() });
  });
});
server.listen(0, '127.0.0.1', () => controlReady('socket.io', server.address().port));
