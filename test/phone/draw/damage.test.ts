import t from 'tap';
import { colour } from '../../../server/phone/draw/colour.ts';
import { damageBetween } from '../../../server/phone/draw/damage.ts';
import { drawCommands } from '../../../server/phone/draw/raster.ts';
import { Scene } from '../../../server/phone/draw/scene.ts';
import { Surface } from '../../../server/phone/draw/surface.ts';
import { font } from '../../../server/phone/text/font.ts';
import { seeded } from '../manual-phone.ts';

const RED = colour(0xff0000);

function scene(...xs: number[]) {
  const made = new Scene(1000, 1000);
  for (const x of xs) made.rect({ x, y: 0, width: 10, height: 10 }, RED);
  return made.commands;
}

t.test('equal lists have no damage', async (t) => {
  t.same(damageBetween(scene(0, 20, 40), scene(0, 20, 40)), []);
});

t.test('a command that came or went damages its own area', async (t) => {
  const area = [{ left: 500, top: 0, right: 510, bottom: 10 }];
  t.same(damageBetween(scene(0, 900), scene(0, 500, 900)), area);
  t.same(damageBetween(scene(0, 500, 900), scene(0, 900)), area);
  t.same(damageBetween(scene(0), scene(0, 500)), area);
});

t.test('a command that moved damages where it was and where it is', async (t) => {
  const damage = damageBetween(scene(0, 300, 900), scene(0, 600, 900));
  t.same(damage.map(({ left }) => left).sort(), [300, 600]);
});

t.test('commands in another order are damaged, since the upper one may have changed', async (t) => {
  t.ok(damageBetween(scene(100, 104), scene(104, 100)).length > 0);
});

t.test('however much changes, there are at most twelve rectangles', async (t) => {
  const spread = Array.from({ length: 60 }, (_, index) => index * 16);
  const damage = damageBetween(scene(), scene(...spread));
  t.ok(damage.length <= 12);
  t.ok(spread.every((x) => damage.some(({ left, right }) => left <= x && right >= x + 10)));
});

t.test('a part outside of the picture is never damaged', async (t) => {
  t.same(damageBetween(scene(), scene(995)), [{ left: 995, top: 0, right: 1000, bottom: 10 }]);
  t.same(damageBetween(scene(), scene(1000, -10)), []);
});

const FONT = font(400, 24);
/** Pairs that kern, marks that join what is before them, and clusters of several code points. */
const PIECES = ['A', 'V', 'T', 'o', 'fi', '.', ' ', '1', '0', 'e', '\u0301', '👩', '\u200d', '👧', '🇨', '🇭', 'é', '漢'];

function line(text: string, clip = 400) {
  const made = new Scene(clip, 60);
  made.rect({ x: 0, y: 0, width: 400, height: 60 }, colour(0xffffff));
  made.text(text, 7, 40, FONT, RED);
  return made.commands;
}

const whole = (clip: number) => ({ left: 0, top: 0, right: clip, bottom: 60 });

t.test('of a line of text that begins alike only the rest is drawn anew, and the picture is the same', async (t) => {
  const random = seeded(11);
  const anyText = (length: number) =>
    Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]).join('');
  let spared = 0;
  for (let round = 0; round < 500; round++) {
    const start = anyText(Math.floor(random() * 8));
    const texts = [start + anyText(Math.floor(random() * 4)), start + anyText(Math.floor(random() * 4))] as const;
    const clip = random() < 0.2 ? 60 : 400;
    const [before, after] = [line(texts[0], clip), line(texts[1], clip)];
    const surface = new Surface(clip, 60);
    drawCommands(surface, whole(clip), before);
    const damage = damageBetween(before, after);
    for (const part of damage) drawCommands(surface, part, after);
    const anew = new Surface(clip, 60);
    drawCommands(anew, whole(clip), after);
    if (Buffer.compare(surface.pixels, anew.pixels) !== 0) t.fail('another picture', { texts, damage });
    if (damage.every(({ left }) => left > 20)) spared++;
  }
  t.ok(spared > 100, `${spared} beginnings were not drawn again`);
});

t.test('a line of text elsewhere, in another colour or in another font is drawn anew as a whole', async (t) => {
  const at = (x: number, of = RED, size = 24) => {
    const made = new Scene(400, 60);
    made.text('AVA', x, 40, font(400, size), of);
    return made.commands;
  };
  const left = (after: ReturnType<typeof at>) => Math.min(...damageBetween(at(7), after).map((part) => part.left));
  const start = at(7)[0]?.left;
  t.same([left(at(9)), left(at(7, colour(0xff))), left(at(7, RED, 25))], [start, start, start]);
});
