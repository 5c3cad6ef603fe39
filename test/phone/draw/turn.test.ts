import t from 'tap';
import { colour } from '../../../server/phone/draw/colour.ts';
import { drawCommands } from '../../../server/phone/draw/raster.ts';
import { Scene } from '../../../server/phone/draw/scene.ts';
import { type Clip, Surface } from '../../../server/phone/draw/surface.ts';
import { differing, ManualPhone, words } from '../manual-phone.ts';

const [WIDTH, HEIGHT] = [60, 40];

/** A picture of four fields of different colours. */
function fields(width: number, height: number, colours: readonly number[]) {
  const scene = new Scene(width, height);
  const [right, down] = [width / 2, height / 2];
  colours.forEach((rgb, index) => {
    scene.rect({ x: (index % 2) * right, y: (index >> 1) * down, width: right, height: down }, colour(rgb));
  });
  return { commands: scene.commands, width, height, kept: {} };
}

/** Draws a turn, in the parts of the picture that are given. */
function turned(angle: number, share: number, clips: readonly Clip[]): Surface {
  const scene = new Scene(WIDTH, HEIGHT);
  const before = fields(HEIGHT, WIDTH, [0xff0000, 0x00ff00, 0x0000ff, 0xffffff]);
  const after = fields(WIDTH, HEIGHT, [0x110000, 0x001100, 0x000011, 0x111111]);
  const between = (from: number, to: number) => from + (to - from) * share;
  scene.turn({ before, after, angle, width: between(HEIGHT, WIDTH), height: between(WIDTH, HEIGHT) }, 1 - share);
  const surface = new Surface(WIDTH, HEIGHT);
  for (const clip of clips) drawCommands(surface, clip, scene.commands);
  return surface;
}

const WHOLE = [{ left: 0, top: 0, right: WIDTH, bottom: HEIGHT }];
const pixel = ({ words }: Surface, x: number, y: number) => ((words[y * WIDTH + x] ?? 0) & 0xffffff) >>> 0;
const rgb = (value: number) => colour(value) & 0xffffff;

t.test('at first the old picture lies askew and fills the new one, at last there is the new one alone', async (t) => {
  const clockwise = turned(Math.PI / 2, 0, WHOLE);
  t.same(
    [pixel(clockwise, 1, 1), pixel(clockwise, 58, 1), pixel(clockwise, 1, 38), pixel(clockwise, 58, 38)],
    [0x0000ff, 0xff0000, 0xffffff, 0x00ff00].map(rgb),
  );
  const end = turned(0, 1, WHOLE);
  t.same([pixel(end, 0, 0), pixel(end, 59, 39)], [0x110000, 0x111111].map(rgb));
});

t.test('a part that is drawn alone equals the same part of the whole, at every angle', async (t) => {
  for (const angle of [Math.PI / 2, 1, 0.3, 0.061, 0.05, 0.001, -1]) {
    const whole = turned(angle, 1 - Math.abs(angle) / 2, WHOLE);
    const parts = [
      { left: 0, top: 0, right: 7, bottom: HEIGHT },
      { left: 7, top: 0, right: 30, bottom: 11 },
      { left: 30, top: 0, right: WIDTH, bottom: 11 },
      { left: 7, top: 11, right: WIDTH, bottom: HEIGHT },
    ];
    const pieced = turned(angle, 1 - Math.abs(angle) / 2, parts);
    t.ok(Buffer.from(whole.pixels).equals(Buffer.from(pieced.pixels)), `${angle}`);
  }
});

t.test('a phone that is turned while it is dark, in the middle of a turn, shows no turn when it wakes', async (t) => {
  const subject = new ManualPhone('ios');
  subject.phone.rotate('landscape_left', 1);
  subject.clock.advance(50);
  subject.phone.render();
  subject.button('power', 10);
  subject.phone.rotate('portrait', 2);
  subject.button('power', 10);
  subject.button('home', 10);
  t.match(subject.phone.render(), { width: 590, height: 1280 });
  const shown = words(subject.phone.render());
  t.equal(differing(shown, words(subject.phone.redraw())).length, 0);
});
