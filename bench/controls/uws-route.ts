import uws from 'uWebSockets.js';
import { controlAnswer, controlReady } from './control-process.ts';
import { listenOnFreePort } from './uws-listen.ts';

/** The lower bound of the REST facade: the same HTTP library reads and writes JSON, without any check or action. */
const answer: Record<string, unknown> = JSON.parse(Buffer.from(controlAnswer()).toString());

const app = uws.App().post('/*', (response) => {
  response.onAborted(() => {});
  response.onData((chunk, isLast) => {
    // A request of this bench arrives in one chunk: it is written at once and is much smaller than a segment.
    if (!isLast) return;
    const { requestId } = JSON.parse(Buffer.from(chunk).toString()) as { requestId: string };
    const body = JSON.stringify({ ...answer, requestId });
    response.cork(() => void response.writeHeader('content-type', 'application/json').end(body));
  });
});
app.get('/*', (response) => {
  const body = JSON.stringify(answer);
  response.cork(() => void response.writeHeader('content-type', 'application/json').end(body));
});
listenOnFreePort(app, (port) => controlReady('uWS route', port));
