import { type Button, CAPABILITIES, PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import { type Case, conform } from './conform.ts';
import type { Subject } from './subject.ts';

/** Longer than any hold that means something else than a press. */
const LONG_MS = 1_200;
const SHORT_MS = 60;
/** Long enough to be seen held, on a machine that is busy with something else as well. */
const SEEN_MS = 3_000;

interface ButtonCase extends Case {
  readonly button: Button;
}

const press = (subject: Subject, button: Button, durationMs = SHORT_MS) =>
  subject.do({ action: 'pressButton', button, durationMs });

const opens = (button: Button, app: string): ButtonCase => ({
  button,
  title: `${button}, held, opens ${app}`,
  platforms: ['ios'],
  async prove(t, subject) {
    await press(subject, button, LONG_MS);
    t.equal((await subject.inspect()).foreground, app);
  },
});

/** A hold that opens a panel over what is there. */
const raises = (button: Button, overlay: string, platforms: Case['platforms'] = PLATFORMS): ButtonCase => ({
  button,
  title: `${button}, held, raises the ${overlay}, and the screen stays on`,
  platforms,
  async prove(t, subject) {
    await subject.open('touch-lab');
    const before = await subject.stillPicture();
    const { result, durationMs } = await press(subject, button, LONG_MS);
    t.same(result, { button, durationMs: LONG_MS });
    t.ok(durationMs >= LONG_MS - 5);
    t.match(await subject.inspect(), { screen: 'on', foreground: 'touch-lab', app: { overlay } });
    t.not(Buffer.compare(await subject.stillPicture(), before), 0);
  },
});

const sleeps = (button: Button, platforms: Case['platforms'] = PLATFORMS): ButtonCase => ({
  button,
  title: `${button} turns the screen off, which is black and takes no touch, and on again`,
  platforms,
  async prove(t, subject) {
    await subject.open('touch-lab');
    t.same((await press(subject, button)).result, { button, durationMs: SHORT_MS });
    t.equal((await subject.inspect()).screen, 'off');
    const { width, height, at } = await subject.pixels();
    const colours = new Set<string>();
    for (let y = 0; y < height; y += 7) for (let x = 0; x < width; x += 7) colours.add(at(x, y));
    t.same([...colours], ['#000000']);
    await subject.do({ action: 'tap', x: 0.5, y: 0.5 });
    await press(subject, button);
    t.match(await subject.inspect(), { screen: 'on', foreground: 'touch-lab', app: { taps: 0 } });
  },
});

const changesVolume = (button: Button, way: number): ButtonCase => ({
  button,
  title: `${button} moves the volume by one, by more when held, and shows it`,
  async prove(t, subject) {
    const { volume } = await subject.inspect();
    await subject.stillPicture();
    await subject.isSeen(() => press(subject, button));
    t.equal((await subject.inspect()).volume, volume + way);
    await subject.open('touch-lab');
    const pressed = press(subject, button, SEEN_MS);
    const held = await subject.until('the button is down', ({ heldButtons }) => heldButtons.length > 0);
    t.same(held.heldButtons, [button]);
    t.same((await pressed).result, { button, durationMs: SEEN_MS });
    const after = await subject.inspect();
    t.ok((after.volume - volume) * way >= 4, `from ${volume} to ${after.volume}`);
    t.same(after.heldButtons, []);
    t.match(after.app, { lastButton: { button } });
    t.ok((after.app.lastButton as { heldMs: number }).heldMs >= SEEN_MS - 5);
    const back = button === 'volumeUp' ? 'volumeDown' : 'volumeUp';
    for (let level = after.volume; level !== volume; level -= way) await press(subject, back, 20);
  },
});

const switches = (button: Button): ButtonCase => ({
  button,
  title: `${button} shows the running apps, and the newest again`,
  async prove(t, subject) {
    await subject.open('settings');
    await subject.open('notes');
    await press(subject, button);
    const { foreground, app } = await subject.inspect();
    t.equal(foreground, 'switcher');
    t.same((app.cards as readonly string[]).slice(0, 2), ['notes', 'settings']);
    await press(subject, button);
    t.equal((await subject.inspect()).foreground, 'notes');
  },
});

/** On iOS these are pressed for a moment, whatever hold was asked for. */
const isMomentary = (button: Button, foreground: string): ButtonCase => ({
  button,
  title: `${button} is momentary even when a hold of two seconds was asked for`,
  platforms: ['ios'],
  async prove(t, subject) {
    await subject.open('touch-lab');
    const { result, durationMs } = await press(subject, button, 2_000);
    t.same(result, { button, durationMs: 50 });
    t.ok(durationMs < 2_000, `it took ${durationMs} ms`);
    t.match(await subject.inspect(), { foreground, app: { overlay: undefined } });
  },
});

const CASES: readonly ButtonCase[] = [
  {
    button: 'home',
    title: 'home leaves the app for the home screen, and 50 ms is the hold of one who names none',
    async prove(t, subject) {
      await subject.open('touch-lab');
      const before = await subject.stillPicture();
      const { result } = await subject.do({ action: 'pressButton', button: 'home' });
      t.same(result, { button: 'home', durationMs: 50 });
      t.equal((await subject.inspect()).foreground, 'home');
      t.not(Buffer.compare(await subject.stillPicture(), before), 0);
    },
  },
  isMomentary('home', 'home'),
  isMomentary('appSwitcher', 'switcher'),
  isMomentary('recents', 'switcher'),
  raises('home', 'assistant', ['android']),
  switches('appSwitcher'),
  switches('recents'),
  sleeps('power'),
  raises('power', 'powerMenu'),
  sleeps('sideButton', ['ios']),
  raises('sideButton', 'assistant', ['ios']),
  changesVolume('volumeUp', 1),
  changesVolume('volumeDown', -1),
  {
    button: 'back',
    title: 'back puts the keyboard away first, then leaves the app',
    platforms: ['android'],
    async prove(t, subject) {
      await subject.open('notes');
      t.equal((await subject.inspect()).keyboardShown, true);
      await press(subject, 'back');
      t.match(await subject.inspect(), { foreground: 'notes', keyboardShown: false });
      await press(subject, 'back', 300);
      t.equal((await subject.inspect()).foreground, 'home');
    },
  },
  {
    button: 'menu',
    title: 'menu opens the menu of the app and closes it again',
    platforms: ['android'],
    async prove(t, subject) {
      await subject.open('touch-lab');
      const before = await subject.stillPicture();
      await press(subject, 'menu');
      t.match(await subject.app(), { overlay: 'menu' });
      t.not(Buffer.compare(await subject.stillPicture(), before), 0);
      await press(subject, 'menu');
      t.equal((await subject.app()).overlay, undefined);
    },
  },
  {
    button: 'actionButton',
    title: 'actionButton silences the phone, and lets it ring again',
    platforms: ['ios'],
    async prove(t, subject) {
      const { silent } = await subject.app();
      await subject.stillPicture();
      await subject.isSeen(() => press(subject, 'actionButton'));
      t.equal((await subject.app()).silent, !silent);
      await press(subject, 'actionButton');
      t.equal((await subject.app()).silent, silent);
    },
  },
  opens('actionButton', 'notes'),
];

for (const platform of PLATFORMS) {
  t.test(`every button of ${platform} is tried below`, async (t) => {
    const tried = CASES.filter(({ platforms = PLATFORMS }) => platforms.includes(platform)).map(({ button }) => button);
    t.same([...new Set(tried)].sort(), [...CAPABILITIES[platform].buttons].sort());
  });
}

conform([
  ...CASES.map((each): Case => ({ ...each, needs: ({ buttons }) => buttons.includes(each.button) })),
  {
    title: 'every button is held for as long as was asked, but for the momentary ones',
    async prove(t, subject) {
      const { momentaryButtons } = CAPABILITIES[subject.platform];
      for (const button of subject.can.buttons) {
        await subject.goHome();
        const { result, durationMs } = await press(subject, button, 150);
        const heldMs = momentaryButtons.includes(button) ? 50 : 150;
        t.same(result, { button, durationMs: heldMs });
        t.ok(durationMs >= heldMs - 5, `${button} was held for ${durationMs} ms`);
        t.same((await subject.inspect()).heldButtons, []);
      }
    },
  },
]);
