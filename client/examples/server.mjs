// @ts-check
// Serves the examples of pages: node server.mjs page|react. RUNCLOUD_API_KEY has the key. It stays in this program: each page
// that is loaded gets a link of its own, which controls one session for ten minutes.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { RunCloud } from 'runcloud';

const HOST = '127.0.0.1';
const example = process.argv[2] === 'react' ? 'react' : 'page';
const folder = new URL(`./${example}/`, import.meta.url);
const script = example === 'react' ? await bundle() : '';

const cloud = new RunCloud();
const session = await cloud.sessions.create({ platform: 'ios', labels: { example } });

const server = createServer((request, response) => {
  answer(`${request.method} ${request.url}`).then(
    ([type, body]) => response.writeHead(200, { 'Content-Type': type }).end(body),
    (error) => response.writeHead(error instanceof RangeError ? 404 : 500).end(String(error)),
  );
});
server.listen(Number(process.env.PORT ?? 3_000), HOST);
await once(server, 'listening');
const address = server.address();
const origin = `http://${HOST}:${typeof address === 'object' ? address?.port : ''}`;
console.log(`Open ${origin}`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => session.delete().finally(() => process.exit()));
}

/**
 * @param {string} request
 * @returns {Promise<[type: string, body: string | Buffer]>}
 */
async function answer(request) {
  switch (request) {
    case 'GET /':
      return ['text/html', await readFile(new URL('index.html', folder))];
    case 'GET /app.js':
      return ['text/javascript', script];
    case 'POST /link': {
      const { url } = await cloud.sessions.links.create(session.id, {
        role: 'control',
        ttl: '10m',
        embedOrigin: origin,
      });
      return ['application/json', JSON.stringify({ url })];
    }
    default:
      throw new RangeError('There is nothing at this address.');
  }
}

/** A project of your own has a bundler of its own. */
async function bundle() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('app.tsx', folder))],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]?.text ?? '';
}
