import t from 'tap';
import { colour } from '../../../server/phone/draw/colour.ts';
import { damageBetween } from '../../../server/phone/draw/damage.ts';
import { Scene } from '../../../server/phone/draw/scene.ts';

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
