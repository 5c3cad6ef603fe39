import t from 'tap';
import { BUILT_IN_APPS } from '../../server/phone/apps/catalogue.ts';
import { SAVED_BUILT_IN, savedPhoneFault } from '../../server/phone/saved-state.ts';
import { ManualPhone } from './manual-phone.ts';
import { judgeRestored } from './restored.ts';

for (const which of ['ios', 'android', 'fold'] as const) {
  t.test(`${which}: a state that is taken over has equal pixels and an equal tree, and goes on alike`, async (t) => {
    for (let seed = 1; seed <= 5; seed++) judgeRestored(t, which, seed);
  });
}

t.test('every app that a phone comes with has a state that is checked', async (t) => {
  t.same(Object.keys(SAVED_BUILT_IN).sort(), BUILT_IN_APPS.map(({ id }) => id).sort());
});

t.test('what is no state is refused, and the field is named', async (t) => {
  const phone = new ManualPhone('ios');
  phone.open('notes');
  const saved = () => JSON.parse(JSON.stringify(phone.phone.save()));
  const faults: readonly (readonly [(saved: ReturnType<typeof JSON.parse>) => void, string])[] = [
    [(saved) => delete saved.clipboard, 'clipboard'],
    [(saved) => Object.assign(saved, { more: 1 }), 'more'],
    [(saved) => Object.assign(saved.state, { volume: 17 }), 'state.volume'],
    [(saved) => Object.assign(saved.state, { foreground: 'browser' }), 'state.foreground'],
    [(saved) => Object.assign(saved.running[0], { app: 'constructor' }), 'running[0].app'],
    [(saved) => Object.assign(saved.running[0].state, { caret: -1 }), 'running[0].state.caret'],
  ];
  for (const [change, path] of faults) {
    const value = saved();
    change(value);
    t.equal(savedPhoneFault(value)?.path, path);
  }
  t.equal(savedPhoneFault(null)?.path, '');
  phone.phone.close();
});
