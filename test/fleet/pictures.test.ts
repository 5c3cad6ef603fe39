import t from 'tap';
import { Channel } from '../../server/fleet/channel.ts';
import { decodeFrame, FRAME, type Frame } from '../../server/fleet/frames.ts';
import { isPicture, ReceivedPictures, SentPictures } from '../../server/fleet/pictures.ts';
import { startFleet } from '../support/fleet.ts';
import { NatsBystander } from '../support/nats-bystander.ts';
import { withoutNats } from '../support/nats-server.ts';
import { numberIn, numberPacket, screenPacket } from '../support/numbered-packets.ts';
import { RestClient } from '../support/rest-client.ts';
import { ScreenWatcher } from '../support/screen-watcher.ts';
import { DEFAULTS, TEST_KEY } from '../support/server.ts';

/** A host and an edge, with as many viewers there as are opened. */
function way() {
  const sent = new SentPictures();
  const received = new ReceivedPictures();
  /** Whether a frame that is sent now gets lost. */
  const wire = { isLost: false, frames: [] as Frame[] };
  let channels = 0;
  const open = () => {
    const got: (number | string)[] = [];
    const after = sent.last;
    const events = { told: () => undefined, taken: () => undefined };
    const end = new Channel(
      ++channels,
      { edge: 'e', payloadBytesMax: 1_000_000, publish: () => undefined },
      {
        ...events,
        data: (bytes) => got.push(numberIn(bytes)),
        lost: (why) => got.push(why),
      },
    );
    const publish = (bytes: Uint8Array) => {
      const frame = decodeFrame(new Uint8Array(bytes));
      if (!frame) throw new Error('no frame');
      wire.frames.push(frame);
      if (wire.isLost) return;
      const whole = received.whole(frame);
      if (whole) end.receive(whole);
      else got.push('no picture');
    };
    const lost = () => undefined;
    const start = new Channel(
      channels,
      { edge: 'e', payloadBytesMax: 1_000_000, publish },
      { ...events, data: lost, lost },
    );
    return { got, channel: start, send: (packet: Uint8Array) => sent.send(start, packet, after) };
  };
  return { wire, open, types: () => wire.frames.map(({ type }) => type) };
}

t.test('a picture goes once to an edge, and each viewer gets it under its own header', async (t) => {
  const { open, types } = way();
  const [one, two, three] = [open(), open(), open()];
  const picture = screenPacket(1);
  for (const [index, { send }] of [one, two, three].entries()) send(numberPacket(picture, 10 + index));
  t.strictSame([one.got, two.got, three.got], [[10], [11], [12]]);
  const other = screenPacket(2);
  two.send(numberPacket(other, 20));
  one.send(numberPacket(other, 21));
  two.send(numberPacket(picture, 22));
  t.strictSame(
    [one.got, two.got],
    [
      [10, 21],
      [11, 20, 22],
    ],
  );
  t.strictSame(types(), [FRAME.picture, FRAME.again, FRAME.again, FRAME.picture, FRAME.again, FRAME.again]);
  t.equal(one.channel.underWayBytes, 2 * picture.byteLength, 'each viewer counts what it is sent');
});

t.test('a picture that was lost is told, and goes again to who comes then', async (t) => {
  const { wire, open, types } = way();
  const [one, two] = [open(), open()];
  const picture = screenPacket(3);
  wire.isLost = true;
  one.send(numberPacket(picture, 1));
  wire.isLost = false;
  two.send(numberPacket(picture, 2));
  t.strictSame(two.got, ['no picture']);
  const later = open();
  later.send(numberPacket(picture, 3));
  t.strictSame(later.got, [3]);
  t.strictSame(types(), [FRAME.picture, FRAME.again, FRAME.picture]);
});

t.test('both ends forget old pictures, and the same ones', async (t) => {
  const { open, types } = way();
  const [one, two] = [open(), open()];
  const old = screenPacket(1);
  one.send(numberPacket(old, 1));
  for (let index = 2; index <= 6; index++) {
    const large = new Uint8Array(1_000_000);
    large.set(screenPacket(index));
    one.send(large);
  }
  two.send(numberPacket(old, 7));
  t.strictSame(two.got, [7]);
  t.equal(types().at(-1), FRAME.picture);
});

t.test('viewers at one edge see the same pictures, which go over NATS once', { skip: withoutNats() }, async (t) => {
  const fleet = await startFleet({ ...DEFAULTS, RUNCLOUD_DEVICES: 'virtual-android:1' });
  t.teardown(() => fleet.close());
  const bystander = await NatsBystander.start(fleet);
  t.teardown(() => bystander.close());
  const rest = new RestClient(fleet.edge.app.url, TEST_KEY);
  const session = await rest.createSession('android');
  const watchers: ScreenWatcher[] = [];
  for (let index = 0; index < 4; index++) {
    const watcher = await ScreenWatcher.connect(rest.url, session, rest);
    t.teardown(() => watcher.close());
    watcher.send({ type: 'screen.start', encodings: ['png'], maxLongEdge: 400 });
    await watcher.until('a picture', () => watcher.packets.length > 0);
    watchers.push(watcher);
  }
  const before = bystander.answers().length;
  const had = watchers.map(({ packets }) => packets.length);
  for (const button of ['recents', 'home', 'recents', 'home']) {
    const { body } = await rest.interact(session, { action: 'pressButton', button });
    t.equal(body.status, 'completed');
  }
  const newest = () => watchers.map(({ packets }) => Buffer.from(packets.at(-1)?.payload ?? []).toString('base64'));
  for (const [index, watcher] of watchers.entries()) {
    await watcher.until('pictures that all have', () => {
      return watcher.packets.length > (had[index] ?? 0) + 2 && new Set(newest()).size === 1;
    });
  }
  const frames = bystander.answers().slice(before);
  const count = (type: number) => frames.filter((frame) => frame.type === type).length;
  const [pictures, again] = [count(FRAME.picture), count(FRAME.again)];
  t.ok(pictures > 0);
  t.ok(again >= pictures, `${pictures} pictures, and ${again} more viewers that were shown one`);
  t.notOk(
    frames.some(({ type, payload }) => type === FRAME.data && isPicture(payload)),
    'none goes otherwise',
  );
});
