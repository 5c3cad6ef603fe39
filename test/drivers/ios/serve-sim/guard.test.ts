import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { Door } from '../../../../server/drivers/ios/serve-sim/door.ts';

const WS = JSON.stringify(createRequire(import.meta.url).resolve('ws'));

/** A program as the helper is one, with what is loaded before its code: every request that gets through is told of. */
const PROGRAM = `
const { WebSocketServer } = require(${WS});
const server = require('node:http').createServer((request, response) => {
  process.stdout.write('served ' + request.url + '\\n');
  response.end('the screen');
});
const sockets = new WebSocketServer({ server, path: '/ws' });
sockets.on('connection', () => process.stdout.write('socket\\n'));
server.on('connect', (request, socket) => { process.stdout.write('tunnel\\n'); socket.end(); });
server.on('checkContinue', (request, response) => { process.stdout.write('continued\\n'); response.end(); });
server.listen(Number(process.argv[1]), '0.0.0.0', () => process.stdout.write('listening ' + server.address().port + '\\n'));
`;

async function startHelper(t: Test) {
  const told: string[] = [];
  // The port is only known once it listens; what the program is told does not depend on it.
  const { environment, headers } = new Door(0);
  const child = spawn(process.execPath, ['-e', PROGRAM, '0'], { env: { ...environment } });
  t.teardown(() => child.kill('SIGKILL'));
  child.stdout.setEncoding('utf8').on('data', (text: string) => told.push(...text.trim().split('\n')));
  while (told.length === 0) await once(child.stdout, 'data');
  const port = Number(told.shift()?.split(' ')[1]);
  const ask = (path: string, more: Readonly<Record<string, string>> = {}, method = 'GET') =>
    new Promise<number>((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path, method, headers: more, agent: false });
      asked.on('response', (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      });
      asked.on('error', reject).end();
    });
  const connected = (more: Readonly<Record<string, string>>) =>
    new Promise<boolean>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: more });
      socket.on('open', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('open', () => socket.terminate());
    });
  return { port, told, headers, ask, connected };
}

t.test('a caller with the secret is served, over HTTP and over the socket', async (t) => {
  const { told, headers, ask, connected, port } = await startHelper(t);
  t.equal(await ask('/stream.avcc', headers), 200);
  for (const name of ['localhost', 'LOCALHOST', '127.0.0.1', '[::1]']) {
    t.equal(await ask('/config', { ...headers, Host: `${name}:${port}` }), 200, name);
  }
  t.equal(await connected(headers), true);
  t.equal(told.filter((line) => line.startsWith('served')).length, 5);
});

t.test('any other caller is refused, whatever the request', async (t) => {
  const { told, headers, ask, connected, port } = await startHelper(t);
  const { Authorization = '' } = headers;
  const wrong: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    nothing: {},
    'another secret': { Authorization: `Bearer ${'0'.repeat(64)}` },
    'half of the secret': { Authorization: Authorization.slice(0, -1) },
    'a page of this machine': { ...headers, Origin: `http://127.0.0.1:${port}` },
    'a page without an origin of its own': { ...headers, Origin: 'null' },
    'a name that was rebound': { ...headers, Host: `attacker.example:${port}` },
    'a name that looks alike': { ...headers, Host: `localhost.attacker.example:${port}` },
    'another port': { ...headers, Host: `127.0.0.1:${port + 1}` },
    'no port': { ...headers, Host: '127.0.0.1' },
  };
  for (const [name, more] of Object.entries(wrong)) {
    for (const path of ['/stream.avcc', '/stream.mjpeg', '/config', '/ax', '/', '/health/../config']) {
      t.equal(await ask(path, more), 403, `${name}: ${path}`);
    }
    t.equal(await connected(more), false, `${name}: the socket`);
  }
  t.equal(await ask('/config', { Expect: '100-continue' }, 'POST'), 403);
  const tunnel = connect(port, '127.0.0.1');
  tunnel.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  const [answer] = await once(tunnel, 'data');
  t.match(String(answer), /^HTTP\/1\.1 403 /);
  tunnel.destroy();
  t.same(told, [], 'not one came through');
});

t.test('whether it runs may be asked without the secret, from this machine and from no page', async (t) => {
  const { ask, port } = await startHelper(t);
  t.equal(await ask('/health'), 200);
  t.equal(await ask('/health', { Host: `attacker.example:${port}` }), 403);
  t.equal(await ask('/health', { Origin: 'https://attacker.example' }), 403);
});

t.test('a program that was told no secret serves nobody', async (t) => {
  const { NODE_OPTIONS = '' } = new Door(0).environment;
  const child = spawn(process.execPath, ['-e', PROGRAM, '0'], { env: { NODE_OPTIONS } });
  t.teardown(() => child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  const port = Number(String(said).split(' ')[1]);
  for (const headers of [{}, { Authorization: 'Bearer ' }, { Authorization: 'Bearer undefined' }]) {
    const asked = request({ host: '127.0.0.1', port, path: '/config', headers, agent: false }).end();
    const [response] = await once(asked, 'response');
    t.equal(response.statusCode, 403);
    response.resume();
  }
});

t.test('the helper is told from whoever took its port, which does not learn the secret', async (t) => {
  const helper = await startHelper(t);
  // Another door has another secret: for it, this is a foreign process.
  const other = new Door(helper.port);
  t.equal(await other.behind(), 'foreign');
  t.same(helper.told, []);
  const free = await startHelper(t);
  t.equal(await new Door(1).behind(), 'none');
  t.not(free.port, helper.port);
});
