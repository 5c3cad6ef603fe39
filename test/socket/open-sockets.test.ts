import { CLOSE } from '@runcloud/protocol/terms';
import t, { type Test } from 'tap';
import type { SocketSender } from '../../server/socket/connection.ts';
import type { ListeningSocket } from '../../server/socket/listener.ts';
import { closeCode, nextFrame, OPCODE, UPGRADE_HEADERS } from '../support/frames.ts';
import { listen } from '../support/listen.ts';
import { requestText, Wire } from '../support/wire.ts';

/** More than the system takes for a client that does not read. */
const UNREAD_BYTES = 12 * 2 ** 20;

/** A listener whose sockets are sent more than the system takes, and a client that has not begun to read. */
async function behind(t: Test): Promise<{ readonly listener: ListeningSocket; readonly wire: Wire }> {
  const outlets: SocketSender[] = [];
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    http: { begin: () => ({ status: 404, body: '' }) },
    sockets: {
      upgrade: () => ({
        brief: false,
        open: (outlet) => {
          outlets.push(outlet);
          const nothing = () => undefined;
          return { receive: nothing, receiveText: nothing, receivePing: nothing, drained: nothing, closed: nothing };
        },
      }),
    },
    onFault: (error) => void t.fail(String(error)),
  });
  const wire = await Wire.open(`http://127.0.0.1:${listener.port}`);
  t.teardown(() => wire.drop());
  void wire.write(requestText('GET /service/ios/ses_x/control', UPGRADE_HEADERS));
  t.equal((await wire.answer())?.status, 101);
  wire.pause();
  for (const outlet of outlets) {
    t.equal(outlet.send(Buffer.alloc(UNREAD_BYTES)), 'buffered');
    outlet.close(CLOSE.draining);
  }
  return { listener, wire };
}

t.test(
  'a client that is behind with its reading gets all, and the reason of the end, before the listener has closed',
  async (t) => {
    const { listener, wire } = await behind(t);
    let isClosed = false;
    const closed = listener.close().then(() => {
      isClosed = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    t.equal(isClosed, false, 'it waits for its client');
    wire.resume();
    t.equal((await nextFrame(wire))?.payload.byteLength, UNREAD_BYTES);
    const last = await nextFrame(wire);
    t.equal(last?.opcode, OPCODE.close);
    t.equal(last && closeCode(last), CLOSE.draining.code);
    await closed;
  },
);

t.test('one that never reads is cut, and holds up nobody for long', async (t) => {
  const { listener, wire } = await behind(t);
  const startMs = performance.now();
  await listener.close();
  t.ok(performance.now() - startMs >= 1_500, 'it was given its time');
  wire.resume();
  await wire.closed;
});

t.test('without sockets there is nothing to wait for', async (t) => {
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    http: { begin: () => ({ status: 404, body: '' }) },
    sockets: { upgrade: () => ({ status: 404, body: '' }) },
    onFault: (error) => void t.fail(String(error)),
  });
  await listener.close();
});
