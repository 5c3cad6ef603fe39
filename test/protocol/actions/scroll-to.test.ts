import t from 'tap';
import { accept, refuse } from '../checks.ts';

const to = (target: unknown, more = {}) => ({ action: 'scrollTo', target, ...more });

t.test('it takes a selector, and has time for many steps', async (t) => {
  t.match(accept(to({ text: 'Imprint' })), { target: { text: 'Imprint' }, waitMs: 10_000 });
  t.match(accept(to({ text: 'Imprint' }, { timeoutMs: 5_000 })), { waitMs: 5_000 });
  const all = { within: { role: 'list' }, direction: 'left', waitMs: 0 };
  t.match(accept(to({ id: 'imprint' }, all)), { target: { id: 'imprint' }, ...all });
});

t.test('a ref, of the element or of its list, is refused by its field', async (t) => {
  for (const ref of [{ ref: '@1', frame: 1 }, { ref: '@1' }]) {
    refuse(to(ref), 'target.ref', t);
    refuse(to({ text: 'Imprint' }, { within: ref }), 'within.ref', t);
  }
  refuse(to({ frame: 1 }), 'target.frame', t);
});

t.test('what says too little, and what is out of bounds, is refused by its field', async (t) => {
  refuse(to(undefined), 'target', t);
  refuse(to({ near: 'a' }), 'target', t);
  refuse(to({ text: 'a' }, { within: { index: 1 } }), 'within', t);
  refuse(to({ text: 'a' }, { direction: 'aside' }), 'direction', t);
  refuse(to({ text: 'a' }, { waitMs: 30_001 }), 'waitMs', t);
  refuse(to({ text: 'a' }, { waitMs: 2_000, timeoutMs: 1_000 }), 'waitMs', t);
});
