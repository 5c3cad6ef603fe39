import { decodeServerMessage, encodeClientMessage } from '@runcloud/protocol';
import t from 'tap';
import { closeCode, closeFrame, frame, nextFrame, OPCODE, UPGRADE_HEADERS, upgradeWire } from '../support/frames.ts';
import { SOCKETS } from '../support/listen.ts';
import { startServer } from '../support/server.ts';
import { requestText, Wire } from '../support/wire.ts';

/** RFC 6455 on the wire: the opening and closing handshakes. */

const server = await startServer();
const session = await server.rest.createSession('ios');
t.teardown(() => server.close());
const PATH = `/service/ios/${session.id}/control`;

/** The answer to a close frame: the code that comes back, `none` without a code, `closed` without a frame. */
async function replyTo(bytes: Uint8Array): Promise<number | 'none' | 'closed'> {
  const wire = await Wire.open(server.url);
  await upgradeWire(wire, PATH, server.rest.authorization);
  void wire.write(bytes);
  // Other sockets come and go: an event may be on its way before the answer.
  let received = await nextFrame(wire);
  while (received && received.opcode !== OPCODE.close) received = await nextFrame(wire);
  await wire.closed;
  return received ? (closeCode(received) ?? 'none') : 'closed';
}

t.test('a close with a valid code is answered with it, and the server ends the connection', async (t) => {
  for (const code of [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 4000, 4401, 4999]) {
    t.equal(await replyTo(closeFrame(code)), code, `${code}`);
  }
});

/** An error of the protocol: `ws` tells its code, uWebSockets.js another thing or nothing. */
const byLibrary = <A, B>(ws: A, uws: B): A | B => (SOCKETS === 'ws' ? ws : uws);

t.test('a close without a code is answered without a code, and one of a single byte (D7) as well', async (t) => {
  t.equal(await replyTo(frame({ opcode: OPCODE.close })), 'none');
  t.equal(await replyTo(frame({ opcode: OPCODE.close, payload: Buffer.of(3) })), byLibrary(1002, 'none'));
});

t.test('a close with a code that may not be sent never comes back with that code', async (t) => {
  for (const code of [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535]) {
    t.equal(await replyTo(closeFrame(code)), byLibrary(1002, 'none'), `${code}`);
  }
});

t.test('a code that uWebSockets.js does not know (D5) comes back from `ws` alone', async (t) => {
  for (const code of [1012, 1013, 1014, 3000, 3999]) {
    t.equal(await replyTo(closeFrame(code)), byLibrary(code, 'none'), `${code}`);
  }
});

t.test('a reason may be 123 bytes of UTF-8 and no longer', async (t) => {
  t.equal(await replyTo(closeFrame(1000, 'bye')), 1000);
  t.equal(await replyTo(closeFrame(1000, 'x'.repeat(123))), 1000);
  t.equal(await replyTo(closeFrame(1000, 'x'.repeat(124))), byLibrary(1002, 'closed'));
  t.equal(await replyTo(closeFrame(1000, Buffer.from([0xc3, 0x28]))), byLibrary(1007, 'none'), 'not UTF-8 (D5)');
});

function typeOf(payload: Buffer): string {
  const read = decodeServerMessage(payload);
  return read.kind === 'message' ? read.message.type : read.kind;
}

t.test('nothing that follows a close is answered', async (t) => {
  const wire = await Wire.open(server.url);
  await upgradeWire(wire, PATH, server.rest.authorization);
  const after = [
    frame({ opcode: OPCODE.ping }),
    frame({ opcode: OPCODE.binary, payload: encodeClientMessage({ type: 'ping', id: 1 }) }),
  ];
  void wire.write(Buffer.concat([closeFrame(1000), ...after, closeFrame(1001)]));
  let reply = await nextFrame(wire);
  // Other sockets come and go: an event may be on its way before the answer.
  while (reply?.opcode === OPCODE.binary && typeOf(reply.payload) === 'event') reply = await nextFrame(wire);
  t.equal(reply && closeCode(reply), 1000);
  t.equal(await nextFrame(wire), undefined);
});

t.test('the answer to an upgrade proves that the key was read, and takes up no extension', async (t) => {
  const wire = await Wire.open(server.url);
  const extensions = { 'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits' };
  void wire.write(
    requestText(`GET ${PATH}`, { ...UPGRADE_HEADERS, ...extensions, Authorization: server.rest.authorization }),
  );
  const answer = await wire.answer();
  t.equal(answer?.status, 101);
  t.equal(answer?.headers.get('sec-websocket-accept'), 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=', 'the example of RFC 6455');
  t.equal(answer?.headers.get('sec-websocket-protocol'), 'runcloud.v1');
  t.notOk(answer?.headers.has('sec-websocket-extensions'));
  wire.drop();
});

t.test('of several sub-protocols only the one that is spoken goes back, also in byte-by-byte delivery', async (t) => {
  const wire = await Wire.open(server.url);
  const headers = {
    ...UPGRADE_HEADERS,
    'Sec-WebSocket-Protocol': 'a-secret, runcloud.v1',
    Authorization: server.rest.authorization,
  };
  void wire.writeInPieces(Buffer.from(requestText(`GET ${PATH}`, headers)), 1);
  t.equal((await wire.answer())?.headers.get('sec-websocket-protocol'), 'runcloud.v1');
  wire.drop();
});

t.test('a message in the same segment as the upgrade is answered after it', async (t) => {
  const wire = await Wire.open(server.url);
  const upgrade = requestText(`GET ${PATH}`, { ...UPGRADE_HEADERS, Authorization: server.rest.authorization });
  void wire.write(Buffer.concat([Buffer.from(upgrade), frame({ opcode: OPCODE.ping, payload: Buffer.from('hi') })]));
  t.equal((await wire.answer())?.status, 101);
  t.equal((await nextFrame(wire))?.opcode, OPCODE.binary, 'ready');
  wire.drop();
});
