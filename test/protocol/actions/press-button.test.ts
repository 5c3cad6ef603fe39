import t from 'tap';
import { BUTTONS } from '../../../protocol/terms.ts';
import { accept, NOT_WHOLE, refuse } from '../checks.ts';

t.test('every button is accepted, whatever the platform', async (t) => {
  for (const button of BUTTONS) t.match(accept({ action: 'pressButton', button }), { button, durationMs: 50 });
});

t.test('an unknown button is refused with the list of buttons, also one that looks like a known one', async (t) => {
  for (const button of ['', 'Home', 'HOME', 'volume_up', 'volumeup', 'lock', 'toString', 1, null, undefined]) {
    t.match(refuse({ action: 'pressButton', button }, 'button', t).message, /must be one of home, back, appSwitcher/);
  }
});

t.test('a button is held from 20 to 30,000 ms', async (t) => {
  const hold = (durationMs: unknown) => ({ action: 'pressButton', button: 'power', durationMs });
  for (const durationMs of [20, 30_000]) t.match(accept(hold(durationMs)), { durationMs });
  for (const durationMs of [19, 30_001, 0, -1, ...NOT_WHOLE]) {
    t.equal(refuse(hold(durationMs), 'durationMs', t).message, 'must be a whole number from 20 to 30000');
  }
});

t.test('a button takes no modifiers', async (t) => {
  refuse({ action: 'pressButton', button: 'power', modifiers: [] }, 'modifiers', t);
});
