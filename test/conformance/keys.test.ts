import { KEYS } from '@runcloud/protocol/terms';
import t, { type Test } from 'tap';
import { conform } from './conform.ts';
import { FIXED_KEYS, LOCK_KEYS, SILENT_KEYS, TYPING_KEYS } from './keyboard-layout.ts';
import { newRequestId, type Subject } from './subject.ts';

const SHORTEST_MS = 20;
const HELD_MS = 3_000;
const KEYS_AT_ONCE = 40;
const FIXED_NAMES = FIXED_KEYS.map(([key]) => key);
const EVERYWHERE = [...TYPING_KEYS.map(({ key }) => key), ...FIXED_NAMES, ...SILENT_KEYS];

t.test('the keys that are tried below are all keys that there are', async (t) => {
  t.same([...EVERYWHERE, ...LOCK_KEYS].sort(), [...KEYS].sort());
});

const press = (subject: Subject, key: string, modifiers: readonly string[] = []) =>
  subject.do({ action: 'pressKey', key, durationMs: SHORTEST_MS, ...(modifiers.length > 0 ? { modifiers } : {}) });

/** All at once: the session's queue plays them one by one. */
async function goDownAndUp(t: Test, subject: Subject, keys: readonly string[]): Promise<void> {
  const answers = await Promise.all(keys.map((key) => press(subject, key)));
  t.same(
    answers.map(({ result }) => result),
    keys.map((key) => ({ key, modifiers: [], durationMs: SHORTEST_MS })),
  );
  const log = (await subject.inspect()).events.filter(({ type }) => type === 'key').slice(-2 * keys.length);
  const seen = log.map(({ detail }) => detail as { key: string; phase: string; heldMs?: number });
  const ups = seen.filter(({ phase }) => phase === 'up');
  t.same(ups.map(({ key }) => key).sort(), [...keys].sort());
  t.same(
    seen.map(({ key, phase }) => `${key} ${phase}`),
    ups.flatMap(({ key }) => [`${key} down`, `${key} up`]),
    'one at a time',
  );
  t.same(
    ups.filter(({ heldMs = 0 }) => heldMs < SHORTEST_MS - 1),
    [],
  );
}

conform([
  {
    title: 'every key that the platform has goes down, is held and comes up',
    async prove(t, subject) {
      await subject.open('touch-lab');
      const keys = subject.platform === 'ios' ? [...EVERYWHERE, ...LOCK_KEYS] : EVERYWHERE;
      // The device remembers its newest events alone, and some of them stand beside those of keys.
      for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
        await goDownAndUp(t, subject, keys.slice(from, from + KEYS_AT_ONCE));
      }
      t.same((await subject.inspect()).heldKeys, []);
      // Pressed once more, the lock keys are back where they were.
      if (subject.platform === 'ios') for (const key of LOCK_KEYS) await press(subject, key);
    },
  },
  {
    title: 'keys type what stands on them, alone and with shift',
    async prove(t, subject) {
      await subject.open('notes');
      for (const { key } of TYPING_KEYS) await press(subject, key);
      t.equal((await subject.app()).text, TYPING_KEYS.map(({ plain }) => plain).join(''));
      await subject.do({ action: 'reload' });
      for (const { key } of TYPING_KEYS) await press(subject, key, ['shift']);
      t.equal((await subject.app()).text, TYPING_KEYS.map(({ shifted }) => shifted).join(''));
      await subject.do({ action: 'reload' });
      for (const [key] of FIXED_KEYS) await press(subject, key);
      t.equal((await subject.app()).text, FIXED_KEYS.map(([, text]) => text).join(''));
    },
  },
  {
    title: 'editing keys move the caret and take characters away',
    async prove(t, subject) {
      await subject.open('notes');
      await subject.do({ action: 'typeText', text: 'abcdef' });
      const before = await subject.stillPicture();
      const keys = ['backspace', 'home', 'delete', 'arrowRight', 'x', 'end', 'arrowLeft', 'y', 'enter'];
      for (const key of keys) await press(subject, key);
      t.equal((await subject.app()).text, 'bxcdy\ne');
      for (const key of ['arrowUp', 'home', 'z', 'arrowDown', 'end', 'z']) await press(subject, key);
      t.equal((await subject.app()).text, 'zbxcdy\nez');
      t.not(Buffer.compare(await subject.stillPicture(), before), 0);
    },
  },
  {
    title: 'a key is down for as long as was asked, and everybody can see it',
    async prove(t, subject) {
      await subject.open('touch-lab');
      // Long enough for it to be seen on a machine that is busy with something else.
      const pressed = subject.do({ action: 'pressKey', key: 'b', modifiers: ['shift', 'alt'], durationMs: HELD_MS });
      const held = await subject.until('the key is down', ({ heldKeys }) => heldKeys.length > 0);
      t.same([held.heldKeys, held.modifiers], [['b'], ['shift', 'alt']]);
      const { durationMs, result } = await pressed;
      t.same(result, { key: 'b', modifiers: ['shift', 'alt'], durationMs: HELD_MS });
      t.ok(durationMs >= HELD_MS - 5, `acknowledged after ${durationMs} ms`);
      const { heldKeys, modifiers, app } = await subject.inspect();
      t.same([heldKeys, modifiers], [[], []]);
      t.match(app, { lastKey: { key: 'b', modifiers: ['shift', 'alt'] } });
      t.ok((app.lastKey as { heldMs: number }).heldMs >= HELD_MS - 5);
    },
  },
  {
    title: 'each modifier arrives, alone and with the others, and 50 ms is the hold of one who names none',
    async prove(t, subject) {
      await subject.open('touch-lab');
      const before = await subject.stillPicture();
      for (const modifier of ['shift', 'control', 'alt', 'meta']) {
        await press(subject, 'k', [modifier]);
        t.match(await subject.app(), { lastKey: { key: 'k', modifiers: [modifier] } });
      }
      const all = ['shift', 'control', 'alt', 'meta'];
      const { result } = await subject.do({ action: 'pressKey', key: 'f5', modifiers: [...all].reverse() });
      t.same(result, { key: 'f5', modifiers: all, durationMs: 50 });
      const { lastKey } = (await subject.app()) as { lastKey: { modifiers: readonly string[]; heldMs: number } };
      t.same(lastKey.modifiers, all);
      t.ok(lastKey.heldMs >= 49);
      t.not(Buffer.compare(await subject.stillPicture(), before), 0, 'the lab shows the key');
    },
  },
  {
    title: 'caps lock turns letters round until it is pressed again',
    platforms: ['ios'],
    async prove(t, subject) {
      await subject.open('notes');
      for (const key of ['capsLock', 'a', '1']) await press(subject, key);
      await press(subject, 'b', ['shift']);
      for (const key of ['capsLock', 'c']) await press(subject, key);
      t.equal((await subject.app()).text, 'A1bc');
    },
  },
  {
    title: 'names of keys are taken letter by letter',
    async prove(t, subject) {
      for (const key of ['A', 'Enter', 'arrowleft', 'numpad', 'f13', '']) {
        const { acknowledgement } = await subject.ask({ requestId: newRequestId(), action: 'pressKey', key });
        t.equal(acknowledgement.error?.code, 'invalid_interaction', `"${key}"`);
      }
    },
  },
]);
