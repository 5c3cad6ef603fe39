import t from 'tap';
import { FRAME_MS, H264, StreamArena } from './stream-arena.ts';

t.test('a bound for the bytes of a stream holds its pictures back, unless it is recorded too', async (t) => {
  const arena = new StreamArena();
  await arena.watch(1, H264);
  const picturesOf = async (ms: number) => {
    const before = arena.heard(1).pictures.length;
    for (let atMs = 0; atMs < ms; atMs += FRAME_MS) {
      await arena.change();
      await arena.clock.advance(FRAME_MS);
    }
    return arena.heard(1).pictures.length - before;
  };
  t.ok((await picturesOf(1_700)) > 90);
  // A picture has one byte.
  arena.pipeline.boundRate(1, 0.01);
  await picturesOf(200);
  const bound = await picturesOf(1_700);
  t.ok(bound >= 15 && bound <= 18, `${bound} pictures with a byte in 100 ms`);
  const recording = { picture: () => undefined, ended: () => undefined };
  const subscription = arena.pipeline.subscribe({ serves: () => true, profile: H264 }, recording);
  await picturesOf(200);
  t.ok((await picturesOf(1_700)) > 90, 'a recording has all pictures');
  subscription.close();
  await picturesOf(200);
  t.ok((await picturesOf(1_700)) <= 18, 'until it ends');
  arena.pipeline.boundRate(1, undefined);
  await picturesOf(200);
  t.ok((await picturesOf(1_700)) > 90);
  arena.pipeline.boundRate(9, 1);
  arena.pipeline.unwatch(1);
  arena.pipeline.boundRate(1, 1);
});
