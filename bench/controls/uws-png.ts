import uws from 'uWebSockets.js';
import { readFileSync } from 'node:fs';
import { encodeBare, rawPicture } from '../stills/bare-encoder.ts';
import { controlAnswer, controlReady } from './control-process.ts';
import { PNG_PATHS } from './png-paths.ts';
import { listenOnFreePort } from './uws-listen.ts';

/** The lower bound of a screenshot over REST: encodes the picture of a file for each request, or only sends its bytes. */
const png = readFileSync(Buffer.from(controlAnswer()).toString());
const picture = await rawPicture(png);

const app = uws.App();
app.get(PNG_PATHS.encoded, (response) => {
  let open = true;
  response.onAborted(() => {
    open = false;
  });
  void encodeBare(picture).then((bytes) => {
    if (open) response.cork(() => void response.writeHeader('content-type', 'image/png').end(bytes));
  });
});
app.get(PNG_PATHS.bytes, (response) => void response.writeHeader('content-type', 'image/png').end(png));
listenOnFreePort(app, (port) => controlReady('uWS PNG', port));
