import t from 'tap';
import { CapturedScreen } from '../../../server/drivers/android/captured-screen.ts';
import { PngRows } from '../../../server/host/png-rows.ts';

const WIDTH = 64;
const HEIGHT = 64;

t.test('a picture that is taken again without a change tells the damage of its version', async (t) => {
  const pixels = new Uint8Array(WIDTH * HEIGHT * 4);
  const screen = new CapturedScreen({
    frame: async () => ({ pixels: Uint8Array.from(pixels), width: WIDTH, height: HEIGHT, turns: 0 }),
    refresh: async () => undefined,
  });
  const first = await screen.capture();
  const rows = new PngRows();
  rows.giveBack(rows.lend(first));
  pixels.fill(200, WIDTH * 4 * 40, WIDTH * 4 * 44);
  screen.changed();
  const second = await screen.capture();
  t.equal(second.version, first.version + 1);
  t.equal(second.damage.length, 1);
  await screen.refresh();
  const again = await screen.capture();
  t.same([again.version, again.damage], [second.version, second.damage]);
  t.same(rows.lend(again), new PngRows().lend(again), 'rows that have the version before become those of this one');
});
