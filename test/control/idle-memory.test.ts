import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { ControlSocket } from '../../server/control/control-socket.ts';
import { MessageRing } from '../../server/control/message-ring.ts';
import { controlEngine } from '../support/control-engine.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

const CONNECTIONS = 2_000;
/** What an idle connection may cost more than before it could be resumed. */
const BYTES_MAX = 8_192;

function usedBytes(): number {
  for (let round = 0; round < 3; round++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

t.test('what an idle connection keeps to be resumed takes little memory', async (t) => {
  const engine = await controlEngine(new FakeClock());
  const { connection } = engine.open();
  const memory = { take: () => true, give: () => undefined };
  const message = new Uint8Array(100);
  const before = usedBytes();
  const kept = Array.from({ length: CONNECTIONS }, () => {
    const ring = new MessageRing(memory);
    // Of an event of each kind that comes by itself.
    for (let count = 0; count < 4; count++) ring.push(message);
    return { ring, socket: new ControlSocket(connection) };
  });
  const each = (usedBytes() - before) / kept.length;
  t.comment(`${Math.round(each)} bytes each`);
  t.ok(each < BYTES_MAX, `${each} bytes`);
  for (const { ring } of kept) for (let tick = 0; tick < 10; tick++) ring.age();
  t.ok((usedBytes() - before) / kept.length < each / 2, 'and less when its messages are old');
});

t.test('a whole connection without a socket takes no more than one with a socket', async (t) => {
  const engine = await controlEngine(new FakeClock());
  const open = async (isAway: boolean) => {
    const before = usedBytes();
    const connections = Array.from({ length: CONNECTIONS }, () => engine.open());
    if (isAway) for (const { connection } of connections) connection.lost(1006);
    await settled();
    const bytes = (usedBytes() - before) / connections.length;
    t.equal(connections.filter(({ connection }) => connection.gone).length, 0);
    return bytes;
  };
  await open(false);
  const connected = await open(false);
  const away = await open(true);
  t.comment(`${Math.round(connected)} bytes with a socket, ${Math.round(away)} without`);
  t.ok(away < connected + 1_024, `${away} and ${connected}`);
});
