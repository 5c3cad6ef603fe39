import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { socketIoLanes } from '../../../bench/load/socket-io-lane.ts';
import { socketIoTap } from '../../../bench/scenarios/peers/messages.ts';

/** A server that speaks as socket.io does, packet by packet. */
async function scripted(t: Test, play: (socket: WebSocket, path: string) => void) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket, { url = '' }) => play(socket, url));
  t.teardown(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  await once(server, 'listening');
  return { kind: 'socket.io', host: '127.0.0.1', port: (server.address() as AddressInfo).port } as const;
}

/** Takes the client in, then hands each further packet over. */
function takeIn(socket: WebSocket, packet: (text: string) => void): void {
  socket.send('0{"sid":"e","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}');
  socket.on('message', (bytes) => {
    if (String(bytes) === '40') socket.send('40{"sid":"s"}');
    else packet(String(bytes));
  });
}

t.test('a request is one event of its own number, and its acknowledgement is the answer', async (t) => {
  const packets: string[] = [];
  const target = await scripted(t, (socket, path) => {
    t.equal(path, '/socket.io/?EIO=4&transport=websocket');
    takeIn(socket, (text) => {
      packets.push(text);
      socket.send(`43${text.slice(2, 12)}[{"ok":true}]`);
    });
  });
  let answered = 0;
  let done = () => {};
  const both = new Promise<void>((resolve) => {
    done = resolve;
  });
  const lane = await socketIoLanes(
    target,
    socketIoTap('r'),
    1,
  )(7, {
    failed: (error) => t.fail(error.message),
    answered: () => void (++answered === 2 && done()),
  });
  lane.send();
  lane.send();
  await both;
  lane.close();
  t.match(packets, [/^420070000001\["interaction",\{"requestId":"r"/, /^420070000002\[/]);
});

t.test('a ping of the server is answered, and is no answer to a request', async (t) => {
  const packets: string[] = [];
  let ponged = () => {};
  const pong = new Promise<void>((resolve) => {
    ponged = resolve;
  });
  const target = await scripted(t, (socket) => {
    takeIn(socket, (text) => {
      packets.push(text);
      if (text === '3') ponged();
      else socket.send('2');
    });
  });
  const lane = await socketIoLanes(
    target,
    socketIoTap('r'),
    64,
  )(0, {
    failed: (error) => t.fail(error.message),
    answered: () => t.fail('a ping is no answer'),
  });
  lane.send();
  await pong;
  lane.close();
  t.match(packets, [/^42/, '3']);
});

t.test('an acknowledgement without success, and a closed socket, void the job', async (t) => {
  const target = await scripted(t, (socket) => takeIn(socket, () => socket.send('430[{"ok":false}]')));
  const failure = new Promise<Error>((resolve) => {
    void socketIoLanes(
      target,
      socketIoTap('r'),
      1,
    )(0, { failed: resolve, answered: () => t.fail('refused') }).then((lane) => lane.send());
  });
  t.match(await failure, /socket\.io answered 430\[\{"ok":false\}\]/);

  const closing = await scripted(t, (socket) => takeIn(socket, () => socket.close(4000)));
  const closed = new Promise<Error>((resolve) => {
    void socketIoLanes(
      closing,
      socketIoTap('r'),
      1,
    )(0, { failed: resolve, answered: () => t.fail('closed') }).then((lane) => lane.send());
  });
  t.match(await closed, /closed with 4000/);
});
