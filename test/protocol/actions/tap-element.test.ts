import t from 'tap';
import { accept, refuse } from '../checks.ts';

const of = (target: unknown, more = {}) => ({ action: 'tapElement', target, ...more });

t.test('a target is a ref with its frame, or a selector', async (t) => {
  for (const target of [
    { ref: '@1', frame: 1 },
    { ref: '@99999', frame: 42 },
    { text: 'Save' },
    { id: 'notes.new' },
    { role: 'button' },
    { role: 'button', near: 'Groceries', index: 4_999, exact: true, text: 'é'.repeat(200), id: 'x' },
  ]) {
    t.match(accept(of(target)), { target, waitMs: 2_000 });
  }
});

t.test('one that says too little, or two things at once, is refused by its field', async (t) => {
  const little = 'must have "ref" and "frame", or one of "text", "id" and "role"';
  for (const target of [{}, { near: 'a' }, { index: 0 }, { exact: true, near: 'a', index: 1 }]) {
    t.equal(refuse(of(target), 'target', t).message, little);
  }
  refuse(of({ ref: '@1' }), 'target.frame', t);
  refuse(of({ frame: 1 }), 'target.ref', t);
  for (const [name, value] of Object.entries({ text: 'a', id: 'a', role: 'cell', near: 'a', index: 0, exact: false })) {
    refuse(of({ ref: '@1', frame: 1, [name]: value }), `target.${name}`, t);
  }
});

t.test('each field has its bounds', async (t) => {
  for (const ref of ['1', '@', '@0', '@01', '@1 ', '@100000', 'e1', 1, '@1\n'])
    refuse(of({ ref, frame: 1 }), 'target.ref', t);
  for (const frame of [0, -1, 1.5, '1', 2 ** 53]) refuse(of({ ref: '@1', frame }), 'target.frame', t);
  for (const name of ['text', 'id', 'near']) {
    for (const value of ['', 'a'.repeat(201), 1, null])
      refuse(of({ role: 'text', [name]: value }), `target.${name}`, t);
  }
  refuse(of({ role: 'Button' }), 'target.role', t);
  for (const index of [-1, 0.5, 5_000, '0']) refuse(of({ role: 'text', index }), 'target.index', t);
  refuse(of({ text: 'a', exact: 1 }), 'target.exact', t);
  refuse(of({ text: 'a', xpath: '//a' }), 'target.xpath', t);
  for (const target of [undefined, 'Save', [], null]) refuse(of(target), 'target', t);
});

t.test('a wait is 0 to 30,000 ms, 2,000 by default, and no longer than the request may take', async (t) => {
  for (const waitMs of [0, 1, 15_000]) t.match(accept(of({ text: 'a' }, { waitMs })), { waitMs });
  for (const waitMs of [-1, 30_001, 1.5, '1']) refuse(of({ text: 'a' }, { waitMs }), 'waitMs', t);
  t.equal(
    refuse(of({ text: 'a' }, { waitMs: 15_001 }), 'waitMs', t).message,
    'must be at most the timeout of 15000 ms',
  );
  t.match(accept(of({ text: 'a' }, { waitMs: 30_000, timeoutMs: 30_000 })), { waitMs: 30_000 });
  t.match(accept(of({ text: 'a' }, { timeoutMs: 500 })), { waitMs: 500 });
});

t.test('a request is the same in whatever order its target was written down', async (t) => {
  const one = accept(of({ text: 'a', role: 'cell', exact: false }));
  const other = accept(of({ exact: false, role: 'cell', text: 'a' }));
  t.equal(JSON.stringify(one), JSON.stringify(other));
});

t.test('text may be typed into a target, by the same rules; a wait alone is refused', async (t) => {
  for (const action of ['typeText', 'insertText']) {
    t.match(accept({ action, text: 'a', target: { role: 'textfield' } }), {
      target: { role: 'textfield' },
      waitMs: 2_000,
    });
    t.strictSame(Object.keys(accept({ action, text: 'a' })), ['action', 'text', 'requestId', 'timeoutMs']);
    refuse({ action, text: 'a', target: {} }, 'target', t);
    refuse({ action, text: 'a', waitMs: 100 }, 'waitMs', t);
    refuse({ action, text: 'a', target: { text: 'b' }, waitMs: 20_000 }, 'waitMs', t);
  }
});
