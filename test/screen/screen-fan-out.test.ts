import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import type { Bearer } from '../../server/flow/quota.ts';
import { SLICE_MS } from '../../server/screen/send-scheduler.ts';
import { KEY, SESSION_LINK, viewerLink } from '../support/bearers.ts';
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
  const viewers = sinks.map((sink, index) => screens.watch(JPEG, index + 1, sink, KEY));
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
  screens.watch(JPEG, 4, new FakeSink(), KEY);
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
  for (const [index, request] of requests.entries()) screens.watch(request, index, new FakeSink(), KEY);
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
    screens.watch({ ...JPEG, quality: index + 1 }, 1, new FakeSink(), KEY);
  }
  t.throws(
    () => screens.watch(H264, 1, new FakeSink(), KEY),
    new ServiceError('rate_limited', 'The session has 16 different screen streams.'),
  );
  screens.watch({ ...JPEG, quality: 1 }, 1, new FakeSink(), KEY);
});

/** Asks for one more stream, which nobody else has asked for. */
function asking({ screens }: ReturnType<typeof openScreens>) {
  let quality = 0;
  return (bearer: Bearer) => {
    const sink = new FakeSink();
    const viewer = screens.watch({ ...JPEG, quality: ++quality }, 1, sink, bearer);
    return { sink, viewer, quality };
  };
}

t.test('one link starts only so many different streams, and joins those of others without a bound', async (t) => {
  for (const link of [SESSION_LINK, viewerLink('one')]) {
    const arena = openScreens();
    const ask = asking(arena);
    const first = ask(KEY);
    const own = Array.from({ length: LIMITS.screenProfilesPerLink }, () => ask(link));
    t.throws(() => ask(link), { code: 'rate_limited', message: /^This link has 4 different screen streams/ });
    t.doesNotThrow(() => ask(KEY), 'its owner is not refused');
    t.doesNotThrow(() => arena.screens.watch({ ...JPEG, quality: first.quality }, 1, new FakeSink(), link));
    own[0]?.viewer.leave();
    t.doesNotThrow(() => ask(link), 'one that has ended makes room');
  }
});

t.test('links, however many there are, leave some streams for keys, and make room for more', async (t) => {
  const arena = openScreens();
  const ask = asking(arena);
  const { screenProfilesPerSession: most, screenProfilesForKeys: kept } = LIMITS;
  const links = Array.from({ length: most - kept }, (_, index) => viewerLink(`${index}`));
  const told = links.map((link) => ask(link).sink.endings);
  t.throws(() => ask(viewerLink('late')), {
    code: 'rate_limited',
    message: /no more different screen streams for links/,
  });
  for (let count = 0; count < kept; count++) ask(KEY);
  t.same(told.flat(), []);
  t.equal(arena.screens.streamCount, most);
  for (let count = 0; count < most - kept; count++) ask(KEY);
  t.same(told.flat(), Array(most - kept).fill('displaced'));
  t.equal(arena.screens.streamCount, most);
  t.throws(() => ask(KEY), { code: 'rate_limited', message: 'The session has 16 different screen streams.' });
});

t.test('a link without a stream takes the place of one that has several, and nobody takes it back', async (t) => {
  const ask = asking(openScreens());
  const { screenProfilesPerLink: each } = LIMITS;
  const greedy = ['a', 'b', 'c'].map((name) => Array.from({ length: each }, () => ask(viewerLink(name)).sink));
  ask(viewerLink('late'));
  const ended = () => greedy.map((sinks) => sinks.filter(({ endings }) => endings.length > 0).length);
  t.equal(
    ended().reduce((sum, count) => sum + count),
    1,
  );
  const loser = ['a', 'b', 'c'][ended().indexOf(1)] ?? '';
  t.throws(() => ask(viewerLink(loser)), { code: 'rate_limited' }, 'who has lost one cannot take one of the others');
  ask(SESSION_LINK);
  ask(SESSION_LINK);
  t.equal(
    ended().reduce((sum, count) => sum + count),
    3,
    "the owner's own link comes before the others",
  );
});

t.test('a link that starts and stops streams again and again has to wait', async (t) => {
  const arena = openScreens();
  const ask = asking(arena);
  const link = viewerLink('restless');
  const begin = () => ask(link).viewer.leave();
  for (let count = 0; count < LIMITS.screenStartsPerSecond * 2; count++) begin();
  t.throws(begin, { code: 'rate_limited', retryAfterSeconds: 1 });
  t.doesNotThrow(() => ask(viewerLink('other')).viewer.leave());
  t.doesNotThrow(() => ask(KEY).viewer.leave());
  await arena.clock.advance(1_000 / LIMITS.screenStartsPerSecond);
  t.doesNotThrow(begin);
});

t.test('links that stay on streams which a key began make room for the next of the keys', async (t) => {
  const { screens, streams } = openScreens();
  const sinks: FakeSink[] = [];
  for (let quality = 1; quality <= LIMITS.screenProfilesPerSession; quality++) {
    const owner = screens.watch({ ...JPEG, quality }, 1, new FakeSink(), KEY);
    const sink = new FakeSink();
    sinks.push(sink);
    screens.watch({ ...JPEG, quality }, 2, sink, viewerLink('one'));
    if (quality !== 1) owner.leave();
  }
  screens.watch({ ...JPEG, quality: 99 }, 1, new FakeSink(), KEY);
  t.equal(screens.streamCount, LIMITS.screenProfilesPerSession);
  const told = sinks.map(({ endings }) => endings);
  t.same(told[0], [], 'not the one that a key watches');
  t.same(told.flat(), ['displaced'], 'and no more than needed');
  t.equal(streams.filter(({ stopped }) => stopped).length, 1, 'the device draws it no longer');
});

t.test('a newcomer to a JPEG stream sees the newest picture at once, also of a still screen', async (t) => {
  const { screens, streams } = openScreens();
  screens.watch(JPEG, 1, new FakeSink(), KEY);
  last(streams).listener.picture(picture({ inputSeq: 5 }));
  const sink = new FakeSink();
  screens.watch(JPEG, 2, sink, KEY);
  t.match(sink.packets, [{ seq: 1, inputSeq: 5, key: true, leftOut: 0 }]);
  t.equal(last(streams).keysAsked, 0);
});

t.test(
  'a newcomer to an H.264 stream is sent nothing before a key packet, for which all newcomers ask once',
  async (t) => {
    const { clock, screens, streams } = openScreens();
    screens.watch(H264, 1, new FakeSink(), KEY);
    const { listener } = last(streams);
    listener.picture(key(1));
    listener.picture(delta(2));
    await clock.advance(1_000);
    const sinks = [new FakeSink(), new FakeSink()];
    for (const sink of sinks) screens.watch(H264, 2, sink, KEY);
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
  const viewer = screens.watch(H264, 1, first, KEY);
  last(streams).listener.picture(key(1));
  const newcomer = new FakeSink();
  screens.watch(H264, 2, newcomer, KEY);
  t.same(newcomer.inputs, [1]);
  viewer.acknowledged(1);
  viewer.requestKey();
  t.same(first.inputs, [1, 1]);
  t.same(first.sequence, [1, 2]);
  t.equal(last(streams).keysAsked, 0);
});

t.test('requests for a key packet are merged, and asked again when none comes', async (t) => {
  const { clock, screens, streams } = openScreens();
  const viewer = screens.watch(H264, 1, new FakeSink(), KEY);
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
  const viewer = screens.watch(H264, 1, sink, KEY);
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
  screens.watch(JPEG, 1, slow, KEY);
  const viewer = screens.watch(JPEG, 2, quick, KEY);
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
    const viewer = screens.watch(JPEG, 1, sink, KEY);
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
  const viewer = screens.watch(JPEG, 1, sink, KEY);
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
  const viewer = screens.watch(H264, 1, sink, KEY);
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
  const viewers = sinks.map((sink) => screens.watch(JPEG, 1, sink, KEY));
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
  screens.watch(JPEG, 1, new FakeSink(), KEY);
  t.equal(streams.length, 2);
});

t.test('a picture for many goes out in slices, in which a newer picture overtakes it', async (t) => {
  const { screens, streams, turnLoop } = openScreens({ msPerSend: SLICE_MS / 10 });
  const sinks = Array.from({ length: 50 }, () => new FakeSink());
  for (const sink of sinks) screens.watch(JPEG, 1, sink, KEY);
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
    const viewers = sinks.map((sink) => screens.watch(JPEG, 1, sink, KEY));
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
  const viewers = [1, 2, 3].map((streamId) => screens.watch(JPEG, streamId, new FakeSink(), KEY));
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
  for (const sink of [full, broken, fine]) screens.watch(JPEG, 1, sink, KEY);
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
    const viewer = screens.watch(JPEG, 1, sink, KEY);
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
