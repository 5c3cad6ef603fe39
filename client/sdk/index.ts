import { Client, type RunCloudOptions } from './client.ts';
import { nodeSurroundings } from './node-socket.ts';

export * from './exports.ts';

/** RunCloud for Node.js. Key and address default to `RUNCLOUD_API_KEY` and `RUNCLOUD_BASE_URL`. */
export class RunCloud extends Client {
  constructor({ apiKey, baseUrl, ...options }: Partial<RunCloudOptions> = {}) {
    const { RUNCLOUD_API_KEY, RUNCLOUD_BASE_URL } = process.env;
    super(
      { ...options, apiKey: (apiKey ?? RUNCLOUD_API_KEY) as string, baseUrl: baseUrl ?? RUNCLOUD_BASE_URL },
      nodeSurroundings,
    );
  }
}
