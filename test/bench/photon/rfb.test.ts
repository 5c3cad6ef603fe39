import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { BufferedReader } from '../../../bench/photon/buffered-reader.ts';
import { Rfb } from '../../../bench/photon/rfb.ts';

/** A server that plays its side of RFC 6143 byte by byte. */
async function scripted(t: Test, play: (reader: BufferedReader, socket: Socket) => Promise<void>): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    t.teardown(() => socket.destroy());
    play(new BufferedReader(socket), socket).catch((error: Error) => t.fail(error.message));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

const WIDTH = 6;
const HEIGHT = 4;
const SERVER_INIT = Buffer.concat([
  Buffer.from([0, WIDTH, 0, HEIGHT]),
  Buffer.alloc(16),
  Buffer.from([0, 0, 0, 2]),
  Buffer.from('hi'),
]);

async function greet(reader: BufferedReader, socket: Socket): Promise<void> {
  socket.write('RFB 003.008\n');
  if ((await reader.take(12)).toString() !== 'RFB 003.008\n') throw new Error('another version');
  socket.write(Uint8Array.of(2, 2, 1));
  if ((await reader.take(1))[0] !== 1) throw new Error('another security type than none');
  socket.write(Uint8Array.of(0, 0, 0, 0));
  await reader.take(1);
  socket.write(SERVER_INIT);
}

t.test(
  'pictures are asked for, laid into the whole, and asked for again; a tap is a press and a release',
  async (t) => {
    const asked: Buffer[] = [];
    let tapped: Buffer | undefined;
    const port = await scripted(t, async (reader, socket) => {
      await greet(reader, socket);
      asked.push(await reader.take(20), await reader.take(8), await reader.take(10));
      // A bell and a cut text between the updates are passed over.
      socket.write(Uint8Array.of(2, 3, 0, 0, 0, 0, 0, 0, 1, 65));
      socket.write(Uint8Array.of(0, 0, 0, 1, 0, 4, 0, 3, 0, 2, 0, 1, 0, 0, 0, 0));
      asked.push(await reader.take(10));
      socket.write(Uint8Array.of(9, 8, 7, 0, 6, 5, 4, 0));
      tapped = await reader.take(12);
      socket.end();
    });
    const rfb = await Rfb.connect(port);
    const pictures: { readonly pixels: Buffer; readonly bytes: number }[] = [];
    const watching = rfb.watch(({ pixels, width, height }, bytes) => {
      t.same([width, height], [WIDTH, HEIGHT]);
      pictures.push({ pixels: Buffer.from(pixels), bytes });
      rfb.tap(300, 2);
    });
    await t.rejects(watching, /closed/);
    t.same(asked[0], Buffer.from([0, 0, 0, 0, 32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 0, 8, 16, 0, 0, 0]));
    t.same(asked[1], Buffer.from([2, 0, 0, 1, 0, 0, 0, 0]));
    t.same(asked[2], Buffer.from([3, 0, 0, 0, 0, 0, 0, WIDTH, 0, HEIGHT]), 'the first picture is whole');
    t.same(asked[3], Buffer.from([3, 1, 0, 0, 0, 0, 0, WIDTH, 0, HEIGHT]), 'the next one only what changed');
    const [picture] = pictures;
    const at = (3 * WIDTH + 4) * 4;
    t.same(picture?.pixels.subarray(at, at + 8), Buffer.from([9, 8, 7, 0, 6, 5, 4, 0]));
    t.equal(picture?.bytes, 4 + 12 + 8);
    t.equal(rfb.bytes, 24);
    t.same(tapped, Buffer.from([5, 1, 1, 44, 0, 2, 5, 0, 1, 44, 0, 2]));
    rfb.close();
  },
);

t.test('a server that wants a password is refused', async (t) => {
  const port = await scripted(t, async (reader, socket) => {
    socket.write('RFB 003.008\n');
    await reader.take(12);
    socket.write(Uint8Array.of(1, 2));
  });
  await t.rejects(Rfb.connect(port), /password/);
});

t.test('another encoding than the one asked for ends the watching', async (t) => {
  const port = await scripted(t, async (reader, socket) => {
    await greet(reader, socket);
    socket.write(Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 16));
  });
  const rfb = await Rfb.connect(port);
  await t.rejects(
    rfb.watch(() => t.fail('no picture')),
    /another encoding/,
  );
  rfb.close();
});

t.test('bytes are taken in the pieces that are asked for, however they come', async (t) => {
  const port = await scripted(t, async (_, socket) => {
    for (const piece of ['ab', 'cdef', 'g']) {
      socket.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    socket.end();
  });
  const reader = new BufferedReader(connect(port, '127.0.0.1'));
  t.equal((await reader.take(3)).toString(), 'abc');
  t.equal((await reader.take(0)).toString(), '');
  t.equal((await reader.take(4)).toString(), 'defg');
  await t.rejects(reader.take(1), /closed/);
});
