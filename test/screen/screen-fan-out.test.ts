import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import { SLICE_MS } from '../../server/screen/send-scheduler.ts';
import { last } from '../support/scripted-device.ts';
import { picture } from './pictures.ts';
import { FakeSink, openScreens } from './scripted-screen.ts';

const JPEG = { encodings: ['jpeg'] } as const;
const H264 = { encodings: ['h264', 'jpeg'] } as const;
const key = (inputSeq = 0) => picture({ encoding: 'h264', key: true, inputSeq });
const delta = (inputSeq = 0) => picture({ encoding: 'h264', inputSeq });

t.test('viewers that want the same share one stream; the first starts it and the last stops it', async (t) => {
  const { screens, streams } = openScreens();
  const sinks = [new FakeSink(), new FakeSink(), new FakeSink()];
  const viewers = sinks.map((sink, index) => screens.watch(JPEG, index + 1, sink));
  t.equal(streams.length, 1);
  last(streams).listener.picture(picture());
  t.same(
    sinks.map(({ packets }) => packets.map(({ streamId }) => streamId)),
    [[1], [2], [3]],
  );
  viewers[0]?.leave();
  viewers[1]?.leave();
  viewers[1]?.leave();
  t.notOk(last(streams).stopped);
  viewers[2]?.leave();
  t.ok(last(streams).stopped);
  t.equal(screens.streamCount, 0);
  screens.watch(JPEG, 4, new FakeSink());
  t.equal(streams.length, 2, 'and the next one starts a new one');
});

t.test('requests that come to the same are one profile, others are not', async (t) => {
  const { screens, streams } = openScreens();
  const requests = [
    { encodings: ['jpeg', 'png'] as const },
    { encodings: ['jpeg'] as const, quality: 80, maxFps: 60, maxLongEdge: 4_000 },
    { encodings: ['jpeg'] as const, quality: 81 },
    { encodings: ['png'] as const, quality: 1 },
    { encodings: ['png'] as const, quality: 2 },
  ];
  for (const [index, request] of requests.entries()) screens.watch(request, index, new FakeSink());
  t.same(
    streams.map(({ profile }) => profile),
    [
      { encoding: 'jpeg', quality: 80, maxFps: 60 },
      { encoding: 'jpeg', quality: 81, maxFps: 60 },
      { encoding: 'png', quality: 80, maxFps: 60 },
    ],
  );
});

t.test('a session encodes only so many different streams at once', async (t) => {
  const { screens } = openScreens();
  for (let index = 0; index < LIMITS.screenProfilesPerSession; index++) {
    screens.watch({ ...JPEG, quality: index + 1 }, 1, new FakeSink());
  }
  t.throws(
    () => screens.watch(H264, 1, new FakeSink()),
    new ServiceError('rate_limited', 'The session has too many different screen streams.'),
  );
  screens.watch({ ...JPEG, quality: 1 }, 1, new FakeSink());
});

t.test('guests, however many streams they want, leave some for those who control', async (t) => {
  const { screens } = openScreens();
  const watch = (quality: number, guest: boolean) => screens.watch({ ...JPEG, quality }, 1, new FakeSink(), guest);
  const { screenProfilesPerSession: most, screenProfilesForControl: reserved } = LIMITS;
  for (let quality = 1; quality <= most - reserved; quality++) watch(quality, true);
  t.throws(() => watch(99, true), { code: 'rate_limited' });
  for (let quality = 50; quality < 50 + reserved; quality++) watch(quality, false);
  t.equal(screens.streamCount, most);
  watch(50, true);
  t.equal(screens.streamCount, most, 'guests may join what is there');
});

t.test('guests who stay on streams that controlling viewers began make room for the next of these', async (t) => {
  const { screens, streams } = openScreens();
  const sinks: FakeSink[] = [];
  for (let quality = 1; quality <= LIMITS.screenProfilesPerSession; quality++) {
    const owner = screens.watch({ ...JPEG, quality }, 1, new FakeSink());
    const sink = new FakeSink();
    sinks.push(sink);
    screens.watch({ ...JPEG, quality }, 2, sink, true);
    if (quality !== 1) owner.leave();
  }
  screens.watch({ ...JPEG, quality: 99 }, 1, new FakeSink());
  t.equal(screens.streamCount, LIMITS.screenProfilesPerSession);
  const told = sinks.map(({ endings }) => endings);
  t.same(told.slice(0, 3), [[], ['displaced'], []], 'not the one that somebody controls from, and no more than needed');
  t.ok(streams[1]?.stopped, 'the device draws it no longer');
});

t.test('a newcomer to a JPEG stream sees the newest picture at once, also of a still screen', async (t) => {
  const { screens, streams } = openScreens();
  screens.watch(JPEG, 1, new FakeSink());
  last(streams).listener.picture(picture({ inputSeq: 5 }));
  const sink = new FakeSink();
  screens.watch(JPEG, 2, sink);
  t.match(sink.packets, [{ seq: 1, inputSeq: 5, key: true, leftOut: 0 }]);
  t.equal(last(streams).keysAsked, 0);
});

t.test(
  'a newcomer to an H.264 stream is sent nothing before a key packet, for which all newcomers ask once',
  async (t) => {
    const { clock, screens, streams } = openScreens();
    screens.watch(H264, 1, new FakeSink());
    const { listener } = last(streams);
    listener.picture(key(1));
    listener.picture(delta(2));
    await clock.advance(1_000);
    const sinks = [new FakeSink(), new FakeSink()];
    for (const sink of sinks) screens.watch(H264, 2, sink);
    t.equal(last(streams).keysAsked, 1);
    listener.picture(delta(3));
    t.same(
      sinks.map(({ inputs }) => inputs),
      [[], []],
    );
    listener.picture(key(4));
    listener.picture(delta(5));
    for (const sink of sinks) {
      t.same(sink.inputs, [4, 5]);
      t.same(sink.sequence, [1, 2]);
      t.equal(sink.packets[0]?.leftOut, 1);
    }
    t.equal(last(streams).keysAsked, 1);
  },
);

t.test('a key packet that nothing followed serves newcomers and askers as it is', async (t) => {
  const { screens, streams } = openScreens();
  const first = new FakeSink();
  const viewer = screens.watch(H264, 1, first);
  last(streams).listener.picture(key(1));
  const newcomer = new FakeSink();
  screens.watch(H264, 2, newcomer);
  t.same(newcomer.inputs, [1]);
  viewer.acknowledged(1);
  viewer.requestKey();
  t.same(first.inputs, [1, 1]);
  t.same(first.sequence, [1, 2]);
  t.equal(last(streams).keysAsked, 0);
});

t.test('requests for a key packet are merged, and asked again when none comes', async (t) => {
  const { clock, screens, streams } = openScreens();
  const viewer = screens.watch(H264, 1, new FakeSink());
  const stream = last(streams);
  stream.listener.picture(key(1));
  viewer.acknowledged(1);
  stream.listener.picture(delta(2));
  viewer.acknowledged(2);
  await clock.advance(600);
  for (let index = 0; index < 5; index++) viewer.requestKey();
  t.equal(stream.keysAsked, 1);
  await clock.advance(1_100);
  viewer.requestKey();
  t.equal(stream.keysAsked, 2);
});

t.test('one who cannot keep up makes key packets for all no more often than twice a second', async (t) => {
  const { clock, screens, streams } = openScreens();
  const sink = new FakeSink();
  const viewer = screens.watch(H264, 1, sink);
  const stream = last(streams);
  stream.listener.picture(key());
  let keysGiven = 0;
  for (let atMs = 0; atMs < 4_000; atMs += 10) {
    stream.listener.picture(stream.keysAsked > keysGiven ? key() : delta());
    keysGiven = stream.keysAsked;
    viewer.acknowledged(last(sink.sequence));
    viewer.requestKey();
    await clock.advance(10);
  }
  t.ok(keysGiven >= 7 && keysGiven <= 8, `${keysGiven} in 4 s`);
});

t.test('a viewer that does not acknowledge is sent little, and the others all', async (t) => {
  const { clock, screens, streams } = openScreens();
  const [slow, quick] = [new FakeSink(), new FakeSink()];
  screens.watch(JPEG, 1, slow);
  const viewer = screens.watch(JPEG, 2, quick);
  for (let inputSeq = 1; inputSeq <= 100; inputSeq++) {
    last(streams).listener.picture(picture({ inputSeq }));
    await clock.advance(2);
    viewer.acknowledged(inputSeq);
    await clock.advance(14);
  }
  t.equal(quick.packets.length, 100);
  t.same(slow.inputs, [1]);
});

t.test(
  'the picture that waits for an acknowledgement is the newest one, and says how many were left out',
  async (t) => {
    const { clock, screens, streams } = openScreens();
    const sink = new FakeSink();
    const viewer = screens.watch(JPEG, 1, sink);
    for (let inputSeq = 1; inputSeq <= 5; inputSeq++) last(streams).listener.picture(picture({ inputSeq }));
    await clock.advance(50);
    viewer.acknowledged(1);
    t.same(sink.inputs, [1, 5]);
    t.match(sink.packets[1], { seq: 2, leftOut: 3 });
  },
);

t.test('while the socket holds bytes nothing is added; the last picture goes when they have drained', async (t) => {
  const { clock, screens, streams } = openScreens();
  const sink = new FakeSink();
  sink.bufferedBytes = 1_000_000;
  const viewer = screens.watch(JPEG, 1, sink);
  for (const inputSeq of [1, 2]) last(streams).listener.picture(picture({ inputSeq }));
  await clock.advance(500);
  t.same(sink.inputs, []);
  sink.bufferedBytes = 100_000;
  viewer.drained();
  t.same(sink.inputs, [], 'a part of them is not enough');
  sink.bufferedBytes = 0;
  viewer.drained();
  t.same(sink.inputs, [2]);
  t.equal(clock.waiting, 0, 'no timer runs without need');
});

t.test('the format is told before the first packet and whenever it changes', async (t) => {
  const { screens, streams } = openScreens();
  const sink = new FakeSink();
  const viewer = screens.watch(H264, 1, sink);
  const { listener } = last(streams);
  t.same(sink.formats, []);
  listener.picture(key());
  listener.picture(delta());
  viewer.acknowledged(2);
  listener.picture({ ...key(), width: 1280, height: 590, orientation: 'landscape_left' });
  t.same(sink.formats, [
    { encoding: 'h264', width: 590, height: 1280 },
    { encoding: 'h264', width: 1280, height: 590 },
  ]);
  t.match(last(sink.packets), { width: 1280, height: 590, orientation: 'landscape_left' });
});

t.test('a stream that ends tells its viewers, once, and the next viewer starts another', async (t) => {
  const { clock, screens, streams } = openScreens();
  const sinks = [new FakeSink(), new FakeSink()];
  const viewers = sinks.map((sink) => screens.watch(JPEG, 1, sink));
  const { listener } = last(streams);
  viewers[1]?.leave();
  listener.ended('the device is gone');
  listener.ended('the device is gone');
  listener.picture(picture());
  t.same(
    sinks.map(({ endings }) => endings),
    [['the device is gone'], []],
  );
  for (const viewer of viewers) {
    viewer.acknowledged(1);
    viewer.requestKey();
    viewer.leave();
  }
  t.notOk(last(streams).stopped, 'it needs no stopping');
  t.equal(screens.streamCount, 0);
  t.equal(clock.waiting, 0);
  screens.watch(JPEG, 1, new FakeSink());
  t.equal(streams.length, 2);
});

t.test('a picture for many goes out in slices, in which a newer picture overtakes it', async (t) => {
  const { screens, streams, turnLoop } = openScreens({ msPerSend: SLICE_MS / 10 });
  const sinks = Array.from({ length: 50 }, () => new FakeSink());
  for (const sink of sinks) screens.watch(JPEG, 1, sink);
  while (turnLoop());
  const served = () => sinks.filter(({ packets }) => packets.length > 0).length;
  const { listener } = last(streams);
  listener.picture(picture({ inputSeq: 1 }));
  const first = served();
  t.ok(first >= 5 && first <= 12, `${first} in the first slice`);
  turnLoop();
  t.ok(served() > first && served() < 30, `${served()} after the second`);
  const before = served();
  listener.picture(picture({ inputSeq: 2 }));
  let turns = 0;
  while (turnLoop()) turns++;
  t.ok(turns >= 3, `${turns} slices`);
  t.equal(served(), 50);
  t.equal(sinks.filter(({ inputs }) => inputs[0] === 1).length, before, 'nobody was sent the older one after that');
  t.ok(sinks.slice(before).every(({ packets }) => packets[0]?.inputSeq === 2 && packets[0].leftOut === 1));
});

t.test(
  'a viewer that leaves between two slices is sent nothing more, and one that leaves others does no harm',
  async (t) => {
    const { screens, streams, turnLoop } = openScreens({ msPerSend: SLICE_MS / 2 });
    const sinks = Array.from({ length: 10 }, () => new FakeSink());
    const viewers = sinks.map((sink) => screens.watch(JPEG, 1, sink));
    while (turnLoop());
    const first = sinks[0];
    if (first) first.onPacket = () => viewers[5]?.leave();
    last(streams).listener.picture(picture());
    viewers[9]?.leave();
    while (turnLoop());
    t.same(
      sinks.map(({ packets }) => packets.length),
      [1, 1, 1, 1, 1, 0, 1, 1, 1, 0],
    );
  },
);

t.test('a stream counts its viewers, encodings, packets, bytes and the pictures left out', async (t) => {
  const { figures, screens, streams } = openScreens();
  const viewers = [1, 2, 3].map((streamId) => screens.watch(JPEG, streamId, new FakeSink()));
  t.match(figures, { viewers: 3, encodings: 0, packets: 0 });
  const { listener } = last(streams);
  for (const encodings of [1, 2, 5]) listener.picture(picture({ encodings, bytes: 68 }));
  t.match(figures, { encodings: 5, packets: 3, bytes: 300, leftOut: 0 }, 'a run whose picture never came counts');
  viewers[0]?.acknowledged(1);
  t.match(figures, { packets: 4, bytes: 400, leftOut: 1 });
  for (const viewer of viewers) viewer.leave();
  viewers[0]?.leave();
  t.match(
    figures,
    { viewers: 0, packets: 4, leftOut: 3 },
    'the others lost the second picture; the third waited for them',
  );
});

t.test('a socket that takes no more packets leaves; one that fails does not disturb the others', async (t) => {
  const { screens, streams } = openScreens();
  const [full, broken, fine] = [new FakeSink(), new FakeSink(), new FakeSink()];
  full.takes = false;
  broken.onPacket = () => {
    throw new Error('broken');
  };
  for (const sink of [full, broken, fine]) screens.watch(JPEG, 1, sink);
  last(streams).listener.picture(picture());
  t.equal(fine.packets.length, 1);
  t.match(broken.failures, [{ message: 'broken' }]);
  full.takes = true;
  last(streams).listener.picture(picture());
  t.equal(full.packets.length, 0);
});

t.test(
  'a stream that shows another display says so before the first picture of it, also of the same size',
  async (t) => {
    const { screens, streams } = openScreens();
    const sink = new FakeSink();
    const viewer = screens.watch(JPEG, 1, sink);
    const size = { encoding: 'jpeg', width: 590, height: 1280 };
    for (const [index, display] of ['inner', 'inner', 'outer'].entries()) {
      last(streams).listener.picture(picture({ display }));
      viewer.acknowledged(index + 1);
    }
    t.strictSame(sink.formats, [
      { ...size, display: 'inner' },
      { ...size, display: 'outer' },
    ]);
    t.strictSame(sink.sequence, [1, 2, 3]);
  },
);
