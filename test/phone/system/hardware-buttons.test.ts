import { type Button, CAPABILITIES, PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import { colourAt, differing, ManualPhone, words } from '../manual-phone.ts';

const isBlack = (subject: ManualPhone) => words(subject.phone.render()).every((word) => word === 0xff000000);

for (const platform of PLATFORMS) {
  t.test(
    `${platform}: a short press of power turns the screen off and on, and behind the lock screen is what was there`,
    async (t) => {
      const subject = new ManualPhone(platform);
      subject.open('settings');
      const before = words(subject.phone.render());
      subject.button('power');
      t.match(subject.phone.inspect(), { screen: 'off', foreground: 'settings' });
      t.ok(isBlack(subject));
      subject.button('power');
      t.match(subject.phone.inspect(), { screen: 'on', foreground: 'settings', app: { locked: true } });
      subject.clock.advance(300);
      t.ok(differing(before, words(subject.phone.render())).length > 1000, 'the lock screen shows first');
      subject.unlock();
      t.equal(subject.app.locked, false);
      t.equal(differing(before, words(subject.phone.render())).length, 0);
    },
  );

  t.test(`${platform}: power held for a second opens the power menu, which a tap puts away`, async (t) => {
    const subject = new ManualPhone(platform);
    subject.phone.buttonDown('power', 1);
    subject.clock.advance(999);
    t.equal(subject.app.overlay, undefined);
    subject.clock.advance(1);
    t.equal(subject.app.overlay, 'powerMenu', 'while it is still held');
    subject.phone.buttonUp('power', 2);
    t.match(subject.phone.inspect(), { screen: 'on', app: { overlay: 'powerMenu' } });
    subject.tap({ x: 200, y: 700 });
    t.match(subject.phone.inspect(), { foreground: 'home', app: { overlay: undefined } });
  });

  t.test(`${platform}: while the screen is off, touches, keys and text do nothing`, async (t) => {
    const subject = new ManualPhone(platform);
    subject.open('notes');
    subject.button('power');
    subject.phone.touch('begin', [{ x: 0.5, y: 0.5 }], 1);
    t.same(subject.phone.inspect().pointers, []);
    subject.phone.touch('end', [{ x: 0.5, y: 0.5 }], 2);
    subject.press('a');
    subject.phone.typeText('b', 3);
    subject.phone.toggleSoftwareKeyboard(4);
    subject.phone.scroll(0, 1, undefined, 5);
    t.match(subject.phone.inspect(), { heldKeys: { length: 0 }, keyboardShown: true });
    t.equal(subject.app.text, '');
    subject.button('appSwitcher');
    t.match(subject.phone.inspect(), { screen: 'off', foreground: 'notes' });
    subject.button('home');
    t.match(subject.phone.inspect(), { screen: 'on', foreground: 'notes' });
  });

  t.test(`${platform}: a volume button steps once, and goes on while it is held`, async (t) => {
    const subject = new ManualPhone(platform);
    const before = subject.phone.render().version;
    subject.button('volumeUp');
    t.equal(subject.phone.inspect().volume, 9);
    t.ok(subject.phone.render().version > before, 'the level shows');
    subject.phone.buttonDown('volumeDown', 1);
    subject.clock.advance(499);
    t.equal(subject.phone.inspect().volume, 8);
    subject.clock.advance(301);
    t.equal(subject.phone.inspect().volume, 4);
    subject.clock.advance(5000);
    t.equal(subject.phone.inspect().volume, 0, 'and no further');
    subject.phone.buttonUp('volumeDown', 2);
    t.same(subject.phone.inspect().heldButtons, []);
  });

  t.test(`${platform}: the volume's level goes away again`, async (t) => {
    const subject = new ManualPhone(platform);
    const before = words(subject.phone.render());
    subject.button('volumeUp');
    subject.phone.render();
    subject.clock.advance(1400);
    t.equal(subject.phone.animating, false, 'it stands still while it shows');
    subject.clock.advance(100);
    subject.phone.render();
    t.equal(subject.phone.animating, true, 'it fades');
    subject.clock.advance(300);
    t.same(words(subject.phone.render()), before);
  });

  t.test(`${platform}: the switcher opens and goes back to the newest app`, async (t) => {
    for (const button of ['recents', 'appSwitcher'] as const) {
      const subject = new ManualPhone(platform);
      subject.open('scroll');
      subject.open('browser');
      subject.button(button);
      t.match(subject.phone.inspect(), { foreground: 'switcher', app: { cards: ['browser', 'scroll'] } });
      subject.button(button);
      t.equal(subject.phone.inspect().foreground, 'browser');
    }
  });

  t.test(`${platform}: letting go of everything has none of a press's effects`, async (t) => {
    const subject = new ManualPhone(platform);
    subject.open('notes');
    for (const button of CAPABILITIES[platform].buttons) {
      if (!['power', 'sideButton', 'actionButton'].includes(button)) continue;
      subject.phone.buttonDown(button, 1);
      t.same(subject.phone.inspect().heldButtons, [button]);
      subject.phone.releaseAll();
      subject.clock.advance(2000);
      const seen = subject.phone.inspect();
      t.match(seen, {
        screen: 'on',
        foreground: 'notes',
        heldButtons: { length: 0 },
        app: { overlay: undefined, silent: false },
      });
    }
    subject.phone.keyDown('a', ['shift'], 2);
    t.match(subject.phone.inspect(), { heldKeys: ['a'], modifiers: ['shift'] });
    subject.phone.releaseAll();
    t.match(subject.phone.inspect(), { heldKeys: { length: 0 }, modifiers: { length: 0 } });
  });
}

t.test('home on iOS is momentary: it acts as it goes down and a hold adds nothing', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('notes');
  subject.phone.buttonDown('home', 1);
  t.equal(subject.phone.inspect().foreground, 'home');
  subject.clock.advance(3000);
  subject.phone.buttonUp('home', 2);
  t.match(subject.phone.inspect(), { foreground: 'home', app: { overlay: undefined } });
});

t.test('home held for half a second on Android opens the assistant instead', async (t) => {
  const subject = new ManualPhone('android');
  subject.open('notes');
  subject.button('home', 500);
  t.match(subject.phone.inspect(), { foreground: 'notes', app: { overlay: 'assistant' } });
  subject.button('home');
  t.match(subject.phone.inspect(), { foreground: 'home', app: { overlay: undefined } });
});

t.test('the side button sleeps and wakes, and opens the assistant when held', async (t) => {
  const subject = new ManualPhone('ios');
  subject.button('sideButton');
  t.equal(subject.phone.inspect().screen, 'off');
  subject.button('sideButton');
  t.equal(subject.phone.inspect().screen, 'on');
  subject.button('sideButton', 1000);
  t.match(subject.phone.inspect(), { screen: 'on', app: { overlay: 'assistant' } });
});

t.test('the action button silences, and opens Notes when held', async (t) => {
  const subject = new ManualPhone('ios');
  const before = subject.phone.render().version;
  subject.button('actionButton');
  t.equal(subject.app.silent, true);
  t.ok(subject.phone.render().version > before);
  subject.button('actionButton', 499);
  t.equal(subject.app.silent, false);
  subject.button('actionButton', 500);
  t.match(subject.phone.inspect(), { foreground: 'notes', app: { silent: false } });
});

t.test('back on Android hides the keyboard before it leaves the app', async (t) => {
  const subject = new ManualPhone('android');
  subject.open('notes');
  subject.button('back');
  t.match(subject.phone.inspect(), { foreground: 'notes', keyboardShown: false });
  subject.button('back');
  t.equal(subject.phone.inspect().foreground, 'home');
  subject.button('back');
  t.equal(subject.phone.inspect().foreground, 'home');
});

t.test('the menu on Android offers to reload and tells about the app', async (t) => {
  const subject = new ManualPhone('android');
  subject.open('notes');
  subject.phone.typeText('gone soon', 1);
  subject.button('menu');
  t.equal(subject.app.overlay, 'menu');
  const { navigationBar, picture } = subject.layout();
  const { px } = subject.theme;
  const entry = (fromBelow: number) => ({
    x: picture.width - px(100),
    y: navigationBar.y - px(20) - px(54) * fromBelow + px(27),
  });
  subject.tap(entry(2));
  t.match(subject.app, { overlay: undefined, text: '' });
  subject.button('menu');
  subject.tap({ x: 100, y: 200 });
  t.match(subject.phone.inspect(), { foreground: 'notes', app: { overlay: undefined } });
  subject.button('menu');
  subject.tap(entry(1));
  t.equal(subject.phone.inspect().foreground, 'settings');
});

t.test('every button of a platform leaves a trace in the log', async (t) => {
  for (const platform of PLATFORMS) {
    for (const button of CAPABILITIES[platform].buttons) {
      const subject = new ManualPhone(platform);
      subject.button(button);
      const pressed = subject.phone.inspect().events.filter(({ type }) => type === 'button');
      t.same(
        pressed.map(({ detail }) => detail),
        [
          { button, phase: 'down' },
          { button, phase: 'up' },
        ],
      );
    }
  }
});

t.test('a button that is lifted without having been pressed does nothing', async (t) => {
  const subject = new ManualPhone('ios');
  subject.phone.buttonUp('power' satisfies Button, 1);
  t.equal(subject.phone.inspect().screen, 'on');
  t.not(colourAt(subject.phone.render(), { x: 5, y: 600 }), '#000000');
});
