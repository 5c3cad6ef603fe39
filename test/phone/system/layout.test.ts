import t from 'tap';
import { LayoutMemo, layoutOf } from '../../../server/phone/system/layout.ts';
import { createTheme } from '../../../server/phone/theme.ts';

const theme = createTheme('ios', 2);
const portrait = { width: 780, height: 1688 };
const landscape = { width: 1688, height: 780 };

t.test('the layout of a phone that stays as it is is one object; whatever differs has another', async (t) => {
  const memo = new LayoutMemo(theme);
  const shapes = [
    [{ size: portrait, keyboardShown: false }, false],
    [{ size: portrait, keyboardShown: true }, false],
    [{ size: landscape, keyboardShown: true }, false],
    [{ size: landscape, keyboardShown: true }, true],
    [{ size: { width: 780, height: 1_600 }, keyboardShown: true }, true],
    [{ size: { width: 700, height: 1_600 }, keyboardShown: true }, true],
    [{ size: portrait, keyboardShown: false }, false],
  ] as const;
  for (const [shape, immersive] of shapes) {
    const layout = memo.of(shape, immersive);
    t.strictSame(layout, layoutOf(shape, theme, immersive));
    t.equal(memo.of({ ...shape, size: { ...shape.size } }, immersive), layout);
  }
});

t.test('a size that is changed in place is noticed', async (t) => {
  const memo = new LayoutMemo(theme);
  const shape = { size: { ...portrait }, keyboardShown: false };
  t.equal(memo.of(shape, false).turned, false);
  Object.assign(shape.size, landscape);
  t.equal(memo.of(shape, false).turned, true);
});
