import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/** How a service can fail to come to an end: it accepts and says nothing, says half of it, or says it byte by byte. */
export const STUBBORN = ['silent', 'headers only', 'byte by byte'] as const;

export async function startStubbornService(
  t: Test,
  manner: (typeof STUBBORN)[number],
  contentType = 'application/json',
) {
  const server = createServer((request, response) => {
    if (manner === 'silent') return;
    request.resume();
    response.writeHead(200, { 'Content-Type': contentType });
    response.flushHeaders();
    if (manner === 'headers only') return;
    const dripping = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(dripping));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
