import { CLOSE, LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { frame, nextFrame, OPCODE, UPGRADE_HEADERS } from '../support/frames.ts';
import { startServer } from '../support/server.ts';
import { requestText, Wire } from '../support/wire.ts';

const server = await startServer();
t.teardown(() => server.close());
const session = await server.rest.createSession('ios');

/** A bare connection with an open socket of this role. */
async function socketOf(role: 'control' | 'view'): Promise<Wire> {
  const links = `/service/sessions/${session.id}/viewer-links`;
  const { body } = await server.rest.call<{ url: string }>('POST', links, { role });
  const path = `/service/ios/${session.id}/control${new URL(body.url).search}`;
  const wire = await Wire.open(server.url);
  t.teardown(() => wire.drop());
  void wire.write(requestText(`GET ${path}`, { ...UPGRADE_HEADERS, Origin: server.url }));
  t.equal((await wire.answer())?.status, 101);
  await nextFrame(wire);
  return wire;
}

const begun = (bytes: number) => frame({ opcode: OPCODE.binary, fin: false, payload: Buffer.alloc(bytes) });
const continued = (bytes: number) => frame({ opcode: OPCODE.continuation, fin: false, payload: Buffer.alloc(bytes) });
const stillOpen = async (wire: Wire) =>
  Promise.race([wire.closed.then(() => false), new Promise((resolve) => setTimeout(resolve, 200, true))]);

t.test(
  'an unfinished message of a viewer that may only watch is buffered up to twice the longest message, in whichever pieces',
  async (t) => {
    const bytesMax = LIMITS.viewMessageBytes * 2;
    for (const pieces of [[begun(bytesMax + 1)], [begun(bytesMax / 2), continued(bytesMax / 2 + 1)]]) {
      const wire = await socketOf('view');
      for (const piece of pieces) await wire.write(piece);
      await wire.closed;
    }
    const wire = await socketOf('view');
    await wire.write(begun(bytesMax - 100));
    t.equal(await stillOpen(wire), true);
  },
);

t.test('a controlling client may send the longest message as slowly as before', async (t) => {
  const wire = await socketOf('control');
  await wire.write(begun(LIMITS.clientMessageBytes / 2));
  await wire.write(continued(LIMITS.clientMessageBytes / 2));
  t.equal(await stillOpen(wire), true);
});

t.test('a whole message that is too long for a guest is told by its close code', async (t) => {
  const wire = await socketOf('view');
  void wire.write(frame({ opcode: OPCODE.binary, payload: Buffer.alloc(LIMITS.viewMessageBytes + 1) }));
  let answer = await nextFrame(wire);
  while (answer && answer.opcode !== OPCODE.close) answer = await nextFrame(wire);
  t.equal(answer?.payload.readUInt16BE(), CLOSE.tooLarge.code);
});
