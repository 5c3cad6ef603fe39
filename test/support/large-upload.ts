import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { AssetRecord } from '@runcloud/protocol';
import { iosFiles } from './ios-package.ts';
import { residentBytes } from './process-memory.ts';
import { RestClient } from './rest-client.ts';
import { TEST_KEY } from './server.ts';
import { serverProgram, temporaryDataDir } from './server-process.ts';
import { bigZip } from './zip.ts';

export interface LargeUpload {
  readonly status: number;
  readonly asset: AssetRecord;
  readonly byteSize: number;
  /** The most that the server's resident memory grew by while it took and read the body. */
  readonly grownBytes: number;
  readonly filesAfterDelete: readonly string[];
}

/** Uploads an app of about `bytes` bytes to a server in a process of its own, and watches that one. */
export async function uploadLarge(bytes: number, coding: 'length' | 'chunked'): Promise<LargeUpload> {
  const dataDir = temporaryDataDir();
  const server = serverProgram(dataDir.path, { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_LOG: 'error' });
  try {
    const url = await server.ready();
    const rest = new RestClient(url, TEST_KEY);
    // A small one first: the reader's thread and its libraries are memory that no upload adds to.
    await send(url, 1 << 20, 'length');
    const before = residentBytes(server.pid);
    const watch = new Watch(server.pid);
    const { status, asset, byteSize } = await send(url, bytes, coding);
    const peakBytes = watch.end();
    for (const { id } of (await rest.call<{ assets: AssetRecord[] }>('GET', '/service/assets')).body.assets) {
      await rest.call('DELETE', `/service/assets/${id}`);
    }
    const filesAfterDelete = readdirSync(join(dataDir.path, 'assets'));
    return { status, asset, byteSize, grownBytes: peakBytes - before, filesAfterDelete };
  } finally {
    server.signal('SIGTERM');
    await server.ended;
    dataDir.remove();
  }
}

/** Looks at a process's memory all the time. */
class Watch {
  #peakBytes = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    this.#timer = setInterval(() => {
      this.#peakBytes = Math.max(this.#peakBytes, residentBytes(pid));
    }, 10);
  }

  end(): number {
    clearInterval(this.#timer);
    return this.#peakBytes;
  }
}

async function send(url: string, bytes: number, coding: 'length' | 'chunked') {
  const { byteSize, stream } = await bigZip(iosFiles(), bytes);
  const length = coding === 'length' ? { 'Content-Length': byteSize } : {};
  const headers = { Authorization: `Bearer ${TEST_KEY}`, ...length };
  const call = request(`${url}/service/assets`, { method: 'POST', headers });
  const answered = new Promise<{ status: number; text: string }>((resolve, reject) => {
    call.on('error', reject);
    call.on('response', (response) => {
      let text = '';
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
  });
  await pipeline(stream, call);
  const { status, text } = await answered;
  return { status, asset: JSON.parse(text) as AssetRecord, byteSize };
}
