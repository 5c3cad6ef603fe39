import { setTimeout as sleep } from 'node:timers/promises';
import { CAPABILITIES, MODIFIERS } from '@runcloud/protocol/terms';
import t from 'tap';
import type { GuestShell } from '../../../../server/drivers/android/adb/guest-shell.ts';
import { CALL_MS_MAX } from '../../../../server/drivers/android/control/control-client.ts';
import { EmulatorBackend } from '../../../../server/drivers/android/control/emulator-backend.ts';
import { seeded } from '../../../conformance/random.ts';
import { arrivedDelays, arrivedHolds } from '../../../support/android/arrival-times.ts';
import { FOLD_DISPLAYS, INNER, OUTER } from '../../../support/android/fold-displays.ts';
import { HEIGHT, WIDTH } from '../../../support/android/guest-phone.ts';
import { openBackend } from '../../../support/android/opened-backend.ts';
import { timedGesture } from '../../../support/timing-figures.ts';
import { wrongKeys } from './every-key.ts';

const { signal } = new AbortController();

t.test('every key with every modifier arrives as its code, pressed in order and let go in reverse', async (t) => {
  const { guest, backend } = await openBackend(t);
  let turn = 0;
  const wrong = await wrongKeys(guest, backend, () => {
    const modifier = MODIFIERS[turn++ % MODIFIERS.length];
    return [modifier ? [modifier] : [], MODIFIERS];
  });
  t.same(wrong, []);
  t.same(guest.violations, []);
});

t.test('every button arrives by its name, is held, and let go', async (t) => {
  const { guest, backend } = await openBackend(t);
  const names = {
    home: 'GoHome',
    back: 'GoBack',
    appSwitcher: 'AppSwitch',
    recents: 'AppSwitch',
    power: 'Power',
    volumeUp: 'AudioVolumeUp',
    volumeDown: 'AudioVolumeDown',
    menu: '139',
  } as Readonly<Record<string, string>>;
  for (const button of CAPABILITIES.android.buttons) {
    guest.keys.length = 0;
    await backend.pressButton(button, 40, signal);
    const name = names[button];
    t.match(guest.keys, [
      { name, way: 'down' },
      { name, way: 'up' },
    ]);
    t.ok((guest.keys[1]?.atMs ?? 0) - (guest.keys[0]?.atMs ?? 0) >= 39, `${button} was held`);
  }
  t.equal(Object.keys(names).length, CAPABILITIES.android.buttons.length);
});

/** Where the nine points of the picture lie on the glass, row by row, after so many quarter turns. */
const [RIGHT, BOTTOM, ACROSS, DOWN] = [WIDTH - 1, HEIGHT - 1, WIDTH / 2, HEIGHT / 2];
const NINE: readonly (readonly (readonly [x: number, y: number])[])[] = [
  [0, DOWN, BOTTOM].flatMap((y) => [0, ACROSS, RIGHT].map((x) => [x, y] as const)),
  [RIGHT, ACROSS - 1, 0].flatMap((x) => [0, DOWN, BOTTOM].map((y) => [x, y] as const)),
  [BOTTOM, DOWN - 1, 0].flatMap((y) => [RIGHT, ACROSS - 1, 0].map((x) => [x, y] as const)),
  [0, ACROSS, RIGHT].flatMap((x) => [BOTTOM, DOWN - 1, 0].map((y) => [x, y] as const)),
];

for (const [turns, expected] of NINE.entries()) {
  t.test(`nine points arrive in pixels of the glass after ${turns} quarter turns`, async (t) => {
    const { guest, backend } = await openBackend(t);
    guest.turnTo(turns);
    while (backend.turns !== turns) await sleep(5);
    guest.reports.length = 0;
    for (const y of [0, 0.5, 1]) for (const x of [0, 0.5, 1]) await backend.tap({ x, y }, signal);
    const at = guest.reports.map(({ fingers: [finger] }) => [finger?.x, finger?.y]);
    t.same(
      at,
      expected.flatMap((point) => [point, point]),
      'pressed and lifted',
    );
    t.same(guest.violations, []);
  });
}

t.test('points arrive in pixels of the outer glass while the emulator is folded, also turned', async (t) => {
  const { guest, backend } = await openBackend(t, { displays: FOLD_DISPLAYS });
  const corners = async () => {
    guest.reports.length = 0;
    for (const at of [0, 1]) await backend.tap({ x: at, y: at }, signal);
    return guest.reports
      .filter(({ fingers: [finger] }) => finger?.pressure === 0)
      .map(({ fingers: [finger] }) => finger);
  };
  t.match(await corners(), [
    { x: 0, y: 0 },
    { x: INNER.width - 1, y: INNER.height - 1 },
  ]);
  guest.phone.fold(true);
  while (backend.size.width !== OUTER.width) await sleep(5);
  t.match(await corners(), [
    { x: 0, y: 0 },
    { x: OUTER.width - 1, y: OUTER.height - 1 },
  ]);
  guest.turnTo(1);
  while (backend.turns !== 1) await sleep(5);
  t.match(await corners(), [
    { x: OUTER.width - 1, y: 0 },
    { x: 0, y: OUTER.height - 1 },
  ]);
  t.same(guest.violations, []);
});

t.test('texts of every kind arrive character by character, also long ones', async (t) => {
  const { guest, backend } = await openBackend(t);
  const random = seeded(3);
  const character = () => String.fromCharCode(32 + Math.floor(random() * 95));
  for (const length of [1, 7, 199, 200, 201, 400, 1_000]) {
    guest.texts.length = 0;
    const text = Array.from({ length }, character).join('');
    await backend.type(text, signal);
    t.equal(guest.texts.join(''), text);
  }
  guest.texts.length = 0;
  guest.keys.length = 0;
  await backend.type('a\n\tb\n', signal);
  t.same(guest.texts, ['a', 'b']);
  t.same(
    guest.keys.map(({ name, way }) => `${name} ${way}`),
    ['28 press', '15 press', '28 press'],
  );
});

t.test('the answer to a gesture comes after all its steps have arrived, however many they are', async (t) => {
  const { guest, backend } = await openBackend(t);
  for (let round = 0; round < 5; round++) {
    guest.reports.length = 0;
    await backend.pointer('begin', [{ x: 0.1, y: 0.5 }]);
    for (let step = 1; step <= 300; step++) void backend.pointer('move', [{ x: 0.1 + step / 400, y: 0.5 }]);
    await backend.pointer('end', [{ x: 0.95, y: 0.5 }]);
    t.equal(guest.reports.length, 303, 'down, 300 moves, moved to the end, lifted');
    t.equal(guest.reports.at(-1)?.fingers[0]?.pressure, 0);
  }
});

t.test('a picture that is asked for shows every step before it, also of a finger that is still down', async (t) => {
  const { guest, backend } = await openBackend(t);
  for (let round = 0; round < 20; round++) {
    guest.reports.length = 0;
    await backend.pointer('begin', [{ x: 0.1, y: 0.5 }]);
    for (let step = 1; step <= 20; step++) await backend.pointer('move', [{ x: 0.1 + step / 40, y: 0.5 }]);
    await backend.refresh();
    t.equal(guest.reports.length, 21);
    await backend.pointer('cancel', []);
  }
});

/** A timer counts whole milliseconds. */
const TIMER_MS = 1;

for (const old of [false, true]) {
  const kind = old ? 'one by one' : 'by the open call';
  const tap = { x: 0.5, y: 0.5 };
  const steps = [
    { phase: 'begin', points: [tap], delayMs: 30 },
    ...[0.2, 0.3, 0.4].map((x) => ({ phase: 'move', points: [{ x, y: 0.5 }], delayMs: 30 }) as const),
    { phase: 'end', points: [{ x: 0.5, y: 0.9 }], delayMs: 0 },
  ] as const;

  t.test(`${kind}: input that the emulator refuses fails what it belonged to, and the next arrives`, async (t) => {
    const { guest, service, backend } = await openBackend(t, { old });
    service.refuse = true;
    await t.rejects(backend.tap(tap, signal), { name: 'DeviceFault', kind: 'failed', message: /no touch screen/ });
    await t.rejects(backend.play(steps, { signal }), { name: 'DeviceFault', kind: 'failed' });
    await t.rejects(backend.pressKey('a', ['shift'], 20, signal), { name: 'DeviceFault', kind: 'failed' });
    await t.rejects(backend.type('a'.repeat(1_000), signal), { name: 'DeviceFault', kind: 'failed' });
    service.refuse = false;
    guest.reports.length = 0;
    await backend.tap(tap, signal);
    t.equal(guest.reports.length, 2);
    t.equal(guest.phone.inspect().heldKeys.length, 0);
  });

  t.test(
    `${kind}: delays and holds count from the emulator's answer, however late it takes the first input`,
    async (t) => {
      const { guest, service, backend } = await openBackend(t, { old });
      for (const fingers of [1, 2] as const) {
        guest.reports.length = 0;
        service.dozeMs = 300;
        const delaysMs = [80, 20, 20];
        await backend.play(timedGesture(delaysMs, fingers).steps, { signal });
        const [first = 0] = arrivedDelays(guest.reports);
        t.ok(first >= 80 - TIMER_MS, `the first delay is held on the device: ${first} ms`);
        t.equal(arrivedDelays(guest.reports).length, delaysMs.length);
      }
      guest.keys.length = 0;
      service.dozeMs = 300;
      await backend.pressKey('a', ['shift'], 80, signal);
      service.dozeMs = 300;
      await backend.pressButton('power', 80, signal);
      const holds = arrivedHolds(guest.keys);
      t.equal(holds.length, 3);
      for (const ms of holds) t.ok(ms >= 80 - TIMER_MS, `a hold lasts on the device: ${ms} ms`);
      t.same(guest.violations, []);
    },
  );

  t.test(`${kind}: a gesture that is cut off in the middle lifts its finger`, async (t) => {
    const { guest, service, backend } = await openBackend(t, { old });
    const played = backend.play(steps, { signal });
    await sleep(45);
    service.refuse = true;
    await t.rejects(played, { name: 'DeviceFault', kind: 'failed' });
    service.refuse = false;
    await backend.releaseAll();
    await backend.tap(tap, signal);
    t.same(guest.phone.inspect().pointers, []);
  });
}

t.test('input that is ended early is not held up by an emulator that is stuck', async (t) => {
  const { service, backend } = await openBackend(t);
  service.stuck = true;
  for (const work of [
    (ended: AbortSignal) => backend.tap({ x: 0.5, y: 0.5 }, ended),
    (ended: AbortSignal) => backend.swipe({ x: 0.5, y: 0.5 }, { x: 0.5, y: 0.1 }, 5_000, { signal: ended }),
  ]) {
    const begunMs = performance.now();
    await t.rejects(work(AbortSignal.timeout(30)), { name: 'DeviceFault', kind: 'aborted' });
    t.ok(performance.now() - begunMs < CALL_MS_MAX, 'not for as long as its answer may take');
  }
  service.stuck = false;
  await backend.tap({ x: 0.5, y: 0.5 }, signal);
});

t.test('without the token nothing is opened', async (t) => {
  const { service } = await openBackend(t, { token: 'secret' });
  const parts = [
    { must: async () => '' } as unknown as GuestShell,
    { width: 1, height: 1 },
    { folder: undefined, listener: { changed: () => undefined, lost: () => undefined } },
  ] as const;
  for (const token of [undefined, 'other']) {
    await t.rejects(EmulatorBackend.open({ port: service.port, token }, ...parts), {
      kind: 'unavailable',
      message: /token/,
    });
  }
});

t.test('a text of any language comes to the guest by the clipboard that the emulator shares with it', async (t) => {
  const { guest, service, backend } = await openBackend(t);
  await backend.clipboard.write('Grüße 你好 😀');
  t.equal(guest.phone.clipboard, 'Grüße 你好 😀');
  t.equal(service.calls.filter((name) => name === 'setClipboard').length, 1);
  const { backend: older } = await openBackend(t, { old: true });
  await t.rejects(older.clipboard.write('x'), { name: 'DeviceFault', kind: 'unsupported' });
  await t.rejects(older.clipboard.read(), { name: 'DeviceFault', kind: 'unsupported' });
  t.doesNotThrow(() => older.clipboard.onChange(() => undefined), 'it has nothing to tell');
  guest.phone.clipboard = 'copied by an app 😀\r\n';
  t.equal(await backend.clipboard.read(), 'copied by an app 😀\r\n');
});

t.test('each other text in the clipboard is told once, whoever put it there', async (t) => {
  const { guest, service, backend } = await openBackend(t);
  const told: string[] = [];
  await backend.clipboard.write('');
  backend.clipboard.onChange(() => void told.push(guest.phone.clipboard));
  const until = async (count: number) => {
    for (let tries = 0; tries < 200 && told.length < count; tries++) await sleep(10);
  };
  await backend.clipboard.write('of a client');
  await backend.clipboard.write('of a client');
  guest.phone.clipboard = 'of an app';
  await until(2);
  t.same(told, ['of a client', 'of an app']);
  service.breakClipboards();
  guest.phone.clipboard = 'while nobody listened';
  await until(3);
  guest.phone.clipboard = 'and after it';
  await until(4);
  t.same(told.slice(2), ['while nobody listened', 'and after it']);
  t.equal(service.calls.filter((name) => name === 'streamClipboard').length, 2);
});
