import t, { type Test } from 'tap';
import { decodeMessage, encodeMessage } from '../../../client/core/codec.ts';
import { Connection } from '../../../client/core/connection.ts';
import { globalTimers } from '../../support/global-timers.ts';

/** A socket that does what a test says. */
class ScriptedSocket {
  readonly sent: Record<string, unknown>[] = [];
  readonly readyState = 1;
  isClosed = false;
  onopen: () => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;
  onmessage: (event: { data: ArrayBuffer }) => void = () => undefined;

  send(bytes: Uint8Array<ArrayBuffer>): void {
    const received = decodeMessage(bytes);
    if (received.kind === 'message') this.sent.push(received.message);
  }

  close(): void {
    this.isClosed = true;
  }

  say(message: object): void {
    this.onmessage({ data: encodeMessage({ ...message }).buffer });
  }
}

const never = () => new Promise<never>(() => undefined);

/** A connection, on a clock that the test moves. */
function connect(t: Test, statusOf: () => Promise<number | undefined> = never) {
  const clock = globalTimers(t);
  const sockets: ScriptedSocket[] = [];
  let asked: AbortSignal | undefined;
  const connection = new Connection<string>({
    platforms: ['ios'],
    addressOf: () => new URL('http://127.0.0.1:1/control'),
    open: () => {
      const socket = new ScriptedSocket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    statusOf: (_address, signal) => {
      asked = signal;
      return statusOf();
    },
    random: () => 0.5,
    now: () => clock.nowMs(),
    endingOf: () => undefined,
    refusalOf: () => undefined,
    gone: () => 'gone',
  });
  connection.open();
  const last = () => sockets.at(-1) as ScriptedSocket;
  const ready = () => {
    last().onopen();
    last().say({ type: 'ready' });
  };
  return { clock, connection, sockets, last, ready, asked: () => asked };
}

/** Lets what was promised happen. */
const settle = async () => {
  for (let turn = 0; turn < 10; turn++) await null;
};

t.test('a handshake that nobody answers is given up, and made again', async (t) => {
  const { clock, connection, sockets } = connect(t);
  clock.advance(15_000);
  t.equal(connection.state.kind, 'connecting');
  clock.advance(1_100);
  t.equal(connection.state.kind, 'waiting');
  t.equal(sockets[0]?.isClosed, true);
  clock.advance(1_000);
  t.equal(sockets.length, 2);
  connection.close();
});

t.test('a service that opens the socket and never says that it is ready is left', async (t) => {
  const { clock, connection, last } = connect(t);
  last().onopen();
  clock.advance(16_100);
  t.equal(connection.state.kind, 'waiting');
  connection.close();
});

t.test('a handshake that is refused without a reason is tried again', async (t) => {
  const { clock, connection, sockets, last, asked } = connect(t);
  last().onclose({ code: 1006 });
  clock.advance(7_900);
  await settle();
  t.equal(connection.state.kind, 'connecting');
  clock.advance(200);
  await settle();
  t.equal(connection.state.kind, 'waiting');
  t.equal(asked()?.aborted, true, 'the question is taken back');
  clock.advance(1_000);
  t.equal(sockets.length, 2);
  connection.close();
});

t.test('a connection on which nothing comes is asked whether it lives, and left where it does not', async (t) => {
  const { clock, connection, last, ready } = connect(t);
  ready();
  const pings = () => last().sent.filter(({ type }) => type === 'ping');
  clock.advance(29_000);
  t.same(pings(), []);
  clock.advance(1_000);
  t.equal(pings().length, 1);
  last().say({ type: 'pong', id: 0, serverTimeUs: 1 });
  clock.advance(20_000);
  t.equal(connection.state.kind, 'connected', 'it lives');
  clock.advance(10_000);
  t.equal(pings().length, 2, 'and is asked again');
  clock.advance(20_000);
  t.not(connection.state.kind, 'connected', 'nobody answers any more');
  connection.close();
});

t.test('a connection on which something comes is not asked', async (t) => {
  const { clock, connection, last, ready } = connect(t);
  ready();
  for (let second = 0; second < 120; second += 10) {
    clock.advance(10_000);
    last().say({ type: 'event', event: 'viewers' });
  }
  t.same(last().sent, []);
  connection.close();
  clock.advance(600_000);
  t.same(last().sent, [], 'nor one that was closed');
});
