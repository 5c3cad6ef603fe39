import t from 'tap';
import { isKey } from '../../../protocol/actions/press-key.ts';
import { KEYS, MODIFIERS } from '../../../protocol/terms.ts';
import { accept, NOT_WHOLE, refuse } from '../checks.ts';

const press = (fields: object) => ({ action: 'pressKey', key: 'a', ...fields });

t.test('every semantic key is accepted', async (t) => {
  for (const key of KEYS) {
    t.match(accept(press({ key })), { key, modifiers: { length: 0 }, durationMs: 50 });
    t.ok(isKey(key));
  }
});

t.test('an unknown key is refused, also one that looks like a known one', async (t) => {
  const misses = [
    '',
    'A',
    'Enter',
    'ENTER',
    'enter ',
    'return',
    'f0',
    'f13',
    'F1',
    '10',
    'numpad',
    'numpad10',
    'arrowup',
  ];
  for (const key of [...misses, 'capslock', 'shift', 'é', 'constructor', '__proto__', 1, null, ['a'], undefined]) {
    t.match(refuse(press({ key }), 'key', t).message, /must be a semantic key such as/);
  }
  for (const key of KEYS.filter((key) => key !== key.toUpperCase()))
    refuse(press({ key: key.toUpperCase() }), 'key', t);
  t.notOk(isKey('A'));
});

t.test('a key is held from 20 to 30,000 ms, 50 by default', async (t) => {
  for (const durationMs of [20, 50, 30_000]) t.match(accept(press({ durationMs })), { durationMs });
  for (const durationMs of [19, 30_001, -20, ...NOT_WHOLE.filter((value) => value !== 100.000_000_1), 20.5]) {
    refuse(press({ durationMs }), 'durationMs', t);
  }
});

t.test('each modifier is accepted alone, and all of them together', async (t) => {
  for (const modifier of MODIFIERS) t.match(accept(press({ modifiers: [modifier] })), { modifiers: [modifier] });
  t.match(accept(press({ modifiers: [...MODIFIERS] })), { modifiers: [...MODIFIERS] });
});

t.test('the same modifiers in another order make the same request', async (t) => {
  t.same(accept(press({ modifiers: ['meta', 'shift'] })), accept(press({ modifiers: ['shift', 'meta'] })));
  t.same(accept(press({ modifiers: [] })), accept(press({})));
});

t.test('a repeated modifier counts once, and makes the same request', async (t) => {
  t.same(accept(press({ modifiers: ['shift', 'meta', 'shift'] })), accept(press({ modifiers: ['meta', 'shift'] })));
  t.match(accept(press({ modifiers: [...MODIFIERS, ...MODIFIERS] })), { modifiers: [...MODIFIERS] });
});

t.test('an unknown or wrongly typed modifier is refused', async (t) => {
  for (const modifiers of ['shift', null, {}, 1]) refuse(press({ modifiers }), 'modifiers', t);
  for (const modifier of ['Shift', 'ctrl', 'command', 'option', '', null, 1]) {
    t.equal(
      refuse(press({ modifiers: ['shift', modifier] }), 'modifiers[1]', t).message,
      'must be one of shift, control, alt, meta',
    );
  }
});
