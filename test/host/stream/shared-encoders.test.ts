import t from 'tap';
import type { EndCause, LocalPictureSink } from '../../../server/host/stream/encoded-stream.ts';
import type { PictureEncoder } from '../../../server/host/stream/picture-encoder.ts';
import { FRAME_MS, H264, JPEG, quiet, ScriptedEncoder, StreamArena } from './stream-arena.ts';

/** Streams that are read on the host itself, beside those of the gateway. */

const KEY_PAUSE_MS = 60;

class Witness implements LocalPictureSink {
  readonly heard: string[] = [];
  readonly ends: [EndCause, string][] = [];

  picture({ key, payload }: Parameters<LocalPictureSink['picture']>[0]): void {
    this.heard.push(`${key ? 'k' : 'p'}${payload[0]}`);
  }

  ended(cause: EndCause, reason: string): void {
    this.ends.push([cause, reason]);
  }
}

const request = (serving = true) => ({ serves: () => serving, profile: H264 });

t.test('a tap without a running stream begins one, and ends it', async (t) => {
  const arena = new StreamArena();
  const witness = new Witness();
  const subscription = arena.pipeline.subscribe(request(), witness);
  await quiet();
  await arena.clock.advance(FRAME_MS);
  await arena.change();
  t.strictSame(witness.heard, ['k0', 'p1']);
  subscription.close();
  t.equal(arena.encoders[0]?.closed, 1);
  await arena.clock.advance(FRAME_MS);
  await arena.change();
  t.strictSame(witness.heard, ['k0', 'p1']);
});

t.test('a tap on a running stream hears it from the next key picture on', async (t) => {
  const arena = new StreamArena();
  await arena.watch(1, H264);
  await arena.clock.advance(KEY_PAUSE_MS);
  const witness = new Witness();
  const subscription = arena.pipeline.subscribe(request(), witness);
  t.strictSame(subscription.profile, H264);
  await quiet();
  await arena.clock.advance(FRAME_MS);
  await arena.change();
  t.strictSame(witness.heard, ['k0', 'p1']);
  t.strictSame(arena.sent(1), ['k0', 'k=0', 'p1']);
  t.equal(arena.encoders.length, 1);
});

t.test('the last who hears an encoder ends it, whichever that is', async (t) => {
  for (const tapFirst of [true, false]) {
    const arena = new StreamArena();
    const encoder = await arena.watch(1, H264);
    const subscription = arena.pipeline.subscribe(request(), new Witness());
    if (tapFirst) subscription.close();
    else arena.pipeline.unwatch(1);
    t.equal(encoder.closed, 0);
    if (tapFirst) arena.pipeline.unwatch(1);
    else subscription.close();
    t.equal(encoder.closed, 1);
  }
});

t.test('a stream of the gateway takes a tapped one of the same profile over, from a key picture on', async (t) => {
  const arena = new StreamArena();
  const witness = new Witness();
  arena.pipeline.subscribe(request(), witness);
  await quiet();
  await arena.clock.advance(KEY_PAUSE_MS);
  await arena.pipeline.watch(7, H264);
  await quiet();
  await arena.clock.advance(FRAME_MS);
  await arena.change();
  t.strictSame(arena.sent(7), ['k=0', 'p1']);
  await arena.pipeline.watch(8, JPEG);
  await quiet();
  t.equal(arena.encoders.length, 2, 'another profile has another encoder');
  await t.rejects(arena.pipeline.watch(7, H264), /open/);
});

t.test('a second stream of the gateway never shares: its pictures are given away', async (t) => {
  const arena = new StreamArena();
  await arena.watch(1, H264);
  await arena.watch(2, H264);
  t.equal(arena.encoders.length, 2);
});

t.test('a tap with an encoder of its own shares it with nobody', async (t) => {
  const arena = new StreamArena();
  await arena.watch(1, H264);
  const own: PictureEncoder[] = [];
  const createEncoder = async () => {
    own.push(new ScriptedEncoder(H264, arena.clock));
    return own[0] as PictureEncoder;
  };
  const witness = new Witness();
  arena.pipeline.subscribe({ ...request(), createEncoder }, witness);
  await quiet();
  t.strictSame(witness.heard, ['k0']);
  t.equal(own.length, 1);
  arena.pipeline.unwatch(1);
  await arena.watch(2, H264);
  t.equal(arena.encoders.length, 2);
});

t.test('an encoder that fails tells its tap and its stream, and no other', async (t) => {
  const arena = new StreamArena();
  const encoder = await arena.watch(1, H264);
  await arena.watch(2, JPEG);
  const witness = new Witness();
  arena.pipeline.subscribe({ ...request(), serves: ({ encoding }) => encoding === 'h264' }, witness);
  encoder.failure = new Error('broken');
  await arena.clock.advance(FRAME_MS);
  await arena.change();
  t.match(witness.ends, [['encoder', /broken/]]);
  t.equal(arena.heard(1).ended.length, 1);
  t.strictSame(arena.heard(2).ended, []);
});

t.test('a screen that closes tells its taps so, the late ones too', async (t) => {
  const arena = new StreamArena();
  const witness = new Witness();
  arena.pipeline.subscribe(request(), witness);
  await quiet();
  arena.pipeline.close('unplugged');
  t.strictSame(witness.ends, [['screen', 'unplugged']]);
  const late = new Witness();
  arena.pipeline.subscribe(request(), late);
  t.strictSame(late.ends, [], 'not before the caller has its tap');
  await quiet();
  t.match(late.ends, [['screen', /closed/]]);
});

t.test('a tap whose encoder cannot be made is told so; one closed meanwhile is not', async (t) => {
  const arena = new StreamArena();
  arena.missing = new Error('none');
  const witness = new Witness();
  arena.pipeline.subscribe(request(), witness);
  const closed = new Witness();
  arena.pipeline.subscribe(request(false), closed).close();
  await quiet();
  t.match(witness.ends, [['encoder', /none/]]);
  t.strictSame(closed.ends, []);
});

t.test('a tap may close itself while it is told a picture, and the others still hear it', async (t) => {
  const arena = new StreamArena();
  await arena.watch(1, H264);
  const witness = new Witness();
  const subscription = arena.pipeline.subscribe(request(), {
    picture: () => subscription.close(),
    ended: () => undefined,
  });
  arena.pipeline.subscribe(request(), witness);
  await arena.clock.advance(KEY_PAUSE_MS);
  await quiet();
  t.strictSame(witness.heard, ['k0']);
  t.strictSame(arena.sent(1), ['k0', 'k=0']);
});
