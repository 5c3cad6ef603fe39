import type { ClientMessage, ServerMessage } from '@runcloud/protocol';
import { LIMITS, readScreenHeader, ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import { ScreenStreams } from '../../server/control/screen-streams.ts';
import { picture } from '../screen/pictures.ts';
import { openScreens } from '../screen/scripted-screen.ts';
import { KEY } from '../support/bearers.ts';
import { last } from '../support/scripted-device.ts';

const START: Extract<ClientMessage, { type: 'screen.start' }> = { type: 'screen.start', encodings: ['jpeg'] };

function openSocket() {
  const arena = openScreens();
  const told: ServerMessage[] = [];
  const packets: (readonly [streamId: number | undefined, seq: number | undefined])[] = [];
  const failures: unknown[] = [];
  const outlet = {
    bufferedBytes: 0,
    send: (bytes: Uint8Array) => {
      const header = readScreenHeader(bytes);
      packets.push([header?.streamId, header?.seq]);
      return 'sent' as const;
    },
    close: () => undefined,
  };
  const owner = {
    bearer: KEY,
    send: (message: ServerMessage) => void told.push(message),
    failed: (error: unknown) => void failures.push(error),
  };
  const socket = new ScreenStreams(arena.screens, owner, outlet);
  return { ...arena, socket, outlet, told, packets, failures };
}

t.test('a start is answered when the first picture is known, before its packet', async (t) => {
  const { socket, streams, told, packets } = openSocket();
  socket.receive(START);
  t.same(told, []);
  last(streams).listener.picture(picture({ encoding: 'h264', key: true }));
  t.same(told, [
    {
      type: 'screen.started',
      streamId: 1,
      encoding: 'h264',
      codec: 'avc1.42c01f',
      width: 590,
      height: 1_280,
      orientation: 'portrait',
    },
  ]);
  t.same(packets, [[1, 1]]);
});

t.test('streams of a socket have numbers of their own and their own acknowledgements', async (t) => {
  const { socket, streams, packets } = openSocket();
  socket.receive(START);
  socket.receive({ ...START, maxFps: 30 });
  for (const { listener } of streams) listener.picture(picture());
  t.same(packets, [
    [1, 1],
    [2, 1],
  ]);
  t.equal(socket.unacknowledgedBytes, 264);
  socket.receive({ type: 'screen.ack', streamId: 2, seq: 1 });
  t.equal(socket.unacknowledgedBytes, 132);
  for (const { listener } of streams) listener.picture(picture());
  t.same(packets.slice(2), [[2, 2]]);
});

t.test('a stop is answered once and ends the packets; what concerns an ended stream is ignored', async (t) => {
  const { socket, streams, told, packets } = openSocket();
  socket.receive(START);
  const { listener } = last(streams);
  listener.picture(picture());
  for (const type of ['screen.stop', 'screen.stop', 'screen.keyframe'] as const) socket.receive({ type, streamId: 1 });
  socket.receive({ type: 'screen.ack', streamId: 1, seq: 1 });
  listener.picture(picture());
  t.same(told.slice(1), [{ type: 'screen.stopped', streamId: 1, reason: 'requested' }]);
  t.equal(packets.length, 1);
  t.ok(last(streams).stopped);
  for (const type of ['screen.stop', 'screen.keyframe'] as const) socket.receive({ type, streamId: 77 });
  t.equal(told.length, 2);
});

t.test('a socket has only so many streams at once', async (t) => {
  const { socket, streams } = openSocket();
  for (let index = 0; index < LIMITS.screenStreamsPerSocket; index++) socket.receive(START);
  t.throws(() => socket.receive(START), new ServiceError('rate_limited', 'This socket has 4 screen streams.'));
  socket.receive({ type: 'screen.stop', streamId: 2 });
  socket.receive(START);
  t.equal(streams.length, 1, 'all alike, so that they share one of the device');
});

t.test('a stream that ends by itself is told with its reason', async (t) => {
  const { socket, streams, told } = openSocket();
  socket.receive(START);
  last(streams).listener.ended('the encoder failed');
  t.same(told, [{ type: 'screen.stopped', streamId: 1, reason: 'the encoder failed' }]);
  socket.receive({ type: 'screen.stop', streamId: 1 });
  t.equal(told.length, 1);
});

t.test('streams end with their socket', async (t) => {
  const { socket, streams, told, packets } = openSocket();
  socket.receive(START);
  socket.receive({ ...START, encodings: ['png'] });
  socket.close();
  t.ok(streams.every(({ stopped }) => stopped));
  for (const { listener } of streams) listener.picture(picture());
  t.same([told, packets], [[], []]);
  socket.receive(START);
  t.ok(last(streams).stopped, 'one that was started too late as well');
});

t.test('an outlet that breaks is told to the socket', async (t) => {
  const { socket, streams, outlet, failures } = openSocket();
  outlet.send = () => {
    throw new Error('broken');
  };
  socket.receive(START);
  last(streams).listener.picture(picture());
  t.match(failures, [{ message: 'broken' }]);
});
