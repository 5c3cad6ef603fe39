import { browserSurroundings } from './browser-socket.ts';
import { Client, type RunCloudOptions } from './client.ts';

export * from './exports.ts';

/** RunCloud for pages of the service's own origin. Do not put a key into a page that others can open. */
export class RunCloud extends Client {
  constructor(options: RunCloudOptions) {
    super(options, browserSurroundings);
  }
}
