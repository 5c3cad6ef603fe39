import t from 'tap';
import { difference } from '../../protocol/outline-difference.ts';

const HEAD = 'frame 7 · Shop · portrait · 9 of 31 nodes';
const outline = (...lines: readonly string[]): string => `${[HEAD, ...lines].join('\n')}\n`;
const rest = Array.from({ length: 12 }, (_, index) => `text "Line ${index}"`);

t.test('what stays is left out, and what is new has its refs', async (t) => {
  const before = outline('heading "Cart"', ...rest, 'button "Pay" @1');
  t.equal(difference(before, before), `${HEAD}\nnothing changed`);
  t.equal(
    difference(before, outline('heading "Cart"', 'alert "Sure?" @1', ...rest, 'button "Pay" @2')),
    `${HEAD}\n+ alert "Sure?" @1\n+ button "Pay" @2`,
    'an element whose ref is another one is told with the new one',
  );
  t.equal(
    difference(before, outline('heading "Cart"', ...rest.slice(1), 'button "Pay" disabled')),
    `${HEAD}\n- text "Line 0"\n- button "Pay"\n+ button "Pay" disabled`,
  );
});

t.test('of a screen that is another one the whole is told', async (t) => {
  const after = outline('heading "Thanks"', 'button "Home" @1');
  t.equal(difference(outline('heading "Cart"', 'button "Pay" @1'), after), after.trimEnd());
});
