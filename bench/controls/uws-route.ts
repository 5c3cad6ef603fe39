import uws from 'uWebSockets.js';
import { startThread } from '../processes/thread.ts';
import { controlAnswer, controlReady } from './control-process.ts';
import { listenOnFreePort } from './uws-listen.ts';

/**
 * The lower bound of the REST facade: the same HTTP library reads and writes JSON, without any check or action. With `DEVICE_THREAD` a
 * call is answered once another thread has taken it, which is told apart from others by its number alone.
 */
const answer: Record<string, unknown> = JSON.parse(Buffer.from(controlAnswer()).toString());

const thread = process.env.DEVICE_THREAD ? startThread(new URL('./thread-hop-worker.ts', import.meta.url)) : undefined;
const waiting = new Map<number, () => void>();
let calls = 0;
thread?.on('message', (call: number) => {
  waiting.get(call)?.();
  waiting.delete(call);
});

const app = uws.App().post('/*', (response) => {
  response.onAborted(() => {});
  response.onData((chunk, isLast) => {
    // A request of this bench arrives in one chunk: it is written at once and is much smaller than a segment.
    if (!isLast) return;
    const { requestId } = JSON.parse(Buffer.from(chunk).toString()) as { requestId: string };
    const body = JSON.stringify({ ...answer, requestId });
    const send = () => void response.cork(() => response.writeHeader('content-type', 'application/json').end(body));
    if (!thread) return send();
    waiting.set(++calls, send);
    thread.postMessage(calls);
  });
});
app.get('/*', (response) => {
  const body = JSON.stringify(answer);
  response.cork(() => void response.writeHeader('content-type', 'application/json').end(body));
});
const listen = () => listenOnFreePort(app, (port) => controlReady('uWS route', port));
// The thread's first message says that it is ready.
if (thread) thread.once('message', listen);
else listen();
