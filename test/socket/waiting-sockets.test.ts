import { CLOSE } from '@runcloud/protocol/terms';
import t from 'tap';
import type { SocketHandler, SocketSender } from '../../server/socket/connection.ts';
import { closeCode, frame, nextFrame, OPCODE, UPGRADE_HEADERS } from '../support/frames.ts';
import { listen } from '../support/listen.ts';
import { requestText, Wire } from '../support/wire.ts';

/** Sockets that wait for their turn, which a test gives them, in their order. */
const waiting: (() => void)[] = [];
let arrived: () => void = () => undefined;
let opened = 0;

/** Sends back what it is told, in words. */
function echo(outlet: SocketSender): SocketHandler {
  opened++;
  const say = (text: string) => void outlet.send(Buffer.from(text));
  say('hello');
  return {
    receive: (message) => say(`message ${Buffer.from(message)}`),
    receiveText: () => say('text'),
    receivePing: () => say('ping'),
    drained: () => undefined,
    closed: () => undefined,
  };
}

const listener = await listen({
  host: '127.0.0.1',
  port: 0,
  http: { begin: () => ({ status: 404, body: '' }) },
  sockets: {
    upgrade: ({ query }) => ({
      brief: query === 'view',
      open: echo,
      turn: (begin) => {
        waiting.push(begin);
        arrived();
      },
    }),
  },
  onFault: (error) => void t.fail(String(error)),
});
t.teardown(() => listener.close());

interface Waiting {
  readonly wire: Wire;
  readonly begin: () => void;
}

async function open(query: string): Promise<Waiting> {
  const wire = await Wire.open(`http://127.0.0.1:${listener.port}`);
  t.teardown(() => wire.drop());
  const came = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  void wire.write(requestText(`GET /service/ios/ses_x/control?${query}`, UPGRADE_HEADERS));
  await came;
  t.equal((await wire.answer())?.status, 101);
  const begin = waiting.shift();
  if (!begin) throw new Error('nobody waits');
  return { wire, begin };
}

const text = async ({ wire }: Waiting): Promise<string> => String((await nextFrame(wire))?.payload);

/** The pong comes after everything that was sent before was read. */
async function pong({ wire }: Waiting): Promise<void> {
  await wire.write(frame({ opcode: OPCODE.ping, payload: Buffer.from('read') }));
  t.equal((await nextFrame(wire))?.opcode, OPCODE.pong);
}

for (const query of ['view', 'control']) {
  t.test(`what comes before the turn of a socket for ${query} is told after it, in its order`, async (t) => {
    const socket = await open(query);
    await socket.wire.write(frame({ opcode: OPCODE.binary, payload: Buffer.from('one') }));
    await pong(socket);
    await socket.wire.write(frame({ opcode: OPCODE.text, payload: Buffer.from('two') }));
    await socket.wire.write(frame({ opcode: OPCODE.binary, payload: Buffer.from('three') }));
    await pong(socket);
    socket.begin();
    const expected = ['hello', 'message one', 'ping', 'text', 'message three', 'ping'];
    for (const said of expected) t.equal(await text(socket), said);
  });
}

t.test('turns come in any order, each to its own client', async (t) => {
  const all = [await open('view'), await open('control'), await open('view')];
  for (const [index, { wire }] of all.entries()) {
    await wire.write(frame({ opcode: OPCODE.binary, payload: Buffer.from(`of ${index}`) }));
  }
  for (const socket of all) await pong(socket);
  for (const { begin } of all.toReversed()) begin();
  for (const [index, socket] of all.entries()) {
    t.equal(await text(socket), 'hello');
    t.equal(await text(socket), `message of ${index}`);
  }
});

t.test('a client that has gone before its turn opens nothing', async (t) => {
  const before = opened;
  const gone = await open('view');
  gone.wire.drop();
  await gone.wire.closed;
  // Another one opens and is answered after the end of the first was seen.
  const other = await open('view');
  await pong(other);
  gone.begin();
  t.equal(opened, before);
});

for (const [what, count, bytes] of [
  ['messages', 65, 1],
  ['bytes', 2, 40_000],
] as const) {
  t.test(`a client that sends too many ${what} before its turn loses its socket`, async (t) => {
    const before = opened;
    const socket = await open('control');
    for (let sent = 0; sent < count; sent++) {
      await socket.wire.write(frame({ opcode: OPCODE.binary, payload: Buffer.alloc(bytes) }));
    }
    const last = await nextFrame(socket.wire);
    t.equal(last && closeCode(last), CLOSE.policy.code);
    socket.begin();
    t.equal(opened, before);
  });
}
