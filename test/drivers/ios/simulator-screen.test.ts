import t from 'tap';
import { SimulatorScreen } from '../../../server/drivers/ios/simulator-screen.ts';
import type { VideoListener } from '../../../server/drivers/video/video-source.ts';

const PANEL = { width: 1_179, height: 2_556 };
const PICTURE = { key: true, payload: Uint8Array.of(0, 0, 0, 1, 0x65) };

/** A screen whose helper tells of pictures of a size, and how that ends. */
function screenOf(width: number, height: number) {
  const lost: string[] = [];
  const helper = {
    video: (listener: VideoListener) => {
      setImmediate(() => {
        listener.head({ lengthBytes: 4, parameterSets: new Uint8Array(), codec: 'avc1.42c01f', width, height });
        listener.picture(PICTURE);
      });
      return () => undefined;
    },
  };
  return { screen: new SimulatorScreen(helper, PANEL, 'portrait', (reason) => lost.push(reason)), lost };
}

for (const [width, height, what] of [
  [1_179, 2_556, 'of its own size'],
  [1_178, 2_556, 'rounded to what encoders take'],
  [590, 1_280, 'made smaller'],
  [2_556, 1_178, 'turned'],
] as const) {
  t.test(`a picture ${what} is one of this screen`, async (t) => {
    const { screen, lost } = screenOf(width, height);
    t.match(await screen.ready(), { width, height });
    t.same(lost, []);
    screen.close();
  });
}

for (const [width, height, what] of [
  [1_080, 1_920, 'of another form'],
  [100, 100, 'that is a square'],
  [11_790, 25_560, 'that no panel could show'],
] as const) {
  t.test(`a picture ${what} is none of this screen, which is lost`, async (t) => {
    const { screen, lost } = screenOf(width, height);
    await t.rejects(screen.ready(), { name: 'DeviceFault', kind: 'unavailable' });
    t.match(lost, [new RegExp(`${width}×${height} pixels`)]);
    await t.rejects(screen.capture(), { name: 'DeviceFault', kind: 'unreachable' });
    screen.close();
  });
}

t.test('an input that changes nothing is told as shown, however late the timers of a busy thread are', async (t) => {
  const { screen } = screenOf(1_179, 2_556);
  await screen.ready();
  screen.sent(1);
  const endMs = performance.now() + 400;
  while (performance.now() < endMs) {}
  t.equal(await screen.settled(), 1);
  screen.close();
});
