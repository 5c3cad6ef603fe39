import { PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import type { Rect } from '../../../server/device/driver.ts';
import type { Environment, ShadeName } from '../../../server/phone/environment.ts';
import { centre, type Pixel } from '../../../server/phone/geometry.ts';
import { shadeLayout } from '../../../server/phone/system/shade-layout.ts';
import { ManualPhone } from '../manual-phone.ts';

/** The shade that has the tiles, and where it is pulled from. */
const TILED: Readonly<Record<'ios' | 'android', ShadeName>> = { ios: 'controlCentre', android: 'notifications' };
const LEFT = { x: 100, y: 10 };
const RIGHT = { x: 500, y: 10 };

const pull = (subject: ManualPhone, from: Pixel, by = 300) => subject.swipe(from, { x: from.x, y: from.y + by });

/** Where the parts of a shade are. */
function places(subject: ManualPhone, kind: ShadeName) {
  const { notices, appearance, silent } = { appearance: 'light', silent: false, notices: [{}], ...subject.app };
  const state = { appearance, silent, notices };
  const environment = { platform: subject.platform, theme: subject.theme, state } as unknown as Environment;
  return shadeLayout(kind, environment, subject.layout(false));
}

function tapTile(subject: ManualPhone, name: string): void {
  const tile = places(subject, TILED[subject.platform]).tiles.find(({ action }) => action === name);
  subject.tap(centre(tile?.area as Rect));
}

for (const platform of PLATFORMS) {
  t.test(
    `${platform}: a pull from the top brings the notifications, and a swipe up or a tap beside takes them away`,
    async (t) => {
      const subject = new ManualPhone(platform);
      subject.open('settings');
      pull(subject, LEFT);
      t.equal(subject.app.overlay, 'notifications');
      subject.swipe({ x: 280, y: 1100 }, { x: 280, y: 900 });
      t.equal(subject.app.overlay, undefined);
      pull(subject, LEFT);
      subject.tap({ x: 280, y: 1180 });
      t.match(subject.phone.inspect(), { foreground: 'settings', app: { overlay: undefined, offset: 0 } });
      pull(subject, LEFT, 40);
      t.equal(subject.app.overlay, undefined, 'a short pull brings nothing');
      pull(subject, RIGHT);
      t.equal(subject.app.overlay, TILED[platform]);
      subject.button('home');
      t.match(subject.phone.inspect(), { foreground: 'home', app: { overlay: undefined } });
    },
  );

  t.test(`${platform}: its tiles do what they say`, async (t) => {
    const subject = new ManualPhone(platform);
    pull(subject, RIGHT);
    subject.clock.advance(400);
    tapTile(subject, 'darkMode');
    t.match(subject.app, { appearance: 'dark', overlay: TILED[platform] });
    tapTile(subject, 'darkMode');
    t.equal(subject.app.appearance, 'light');
    tapTile(subject, 'silent');
    t.equal(subject.app.silent, true);
    tapTile(subject, 'settings');
    t.match(subject.phone.inspect(), { foreground: 'settings', app: { overlay: undefined } });
    pull(subject, RIGHT);
    subject.clock.advance(400);
    tapTile(subject, 'lock');
    t.match(subject.phone.inspect(), { screen: 'off', app: { locked: true, overlay: undefined } });
  });

  t.test(`${platform}: its slider sets the volume while the finger moves`, async (t) => {
    const subject = new ManualPhone(platform);
    pull(subject, RIGHT);
    subject.clock.advance(400);
    const { slider } = places(subject, TILED[platform]);
    if (!slider) throw new Error('no slider');
    const at = centre(slider);
    const end = platform === 'ios' ? { x: at.x, y: slider.y + 1 } : { x: slider.x + slider.width - 2, y: at.y };
    subject.swipe(at, end);
    t.match(subject.phone.inspect(), { volume: 16, app: { overlay: TILED[platform] } });
    subject.tap(platform === 'ios' ? { x: at.x, y: slider.y + slider.height - 2 } : { x: slider.x + 1, y: at.y });
    t.equal(subject.phone.inspect().volume, 0);
  });

  t.test(`${platform}: a cancelled touch changes nothing, whether it pulls or holds a tile`, async (t) => {
    const subject = new ManualPhone(platform);
    subject.phone.touch('begin', [subject.point(LEFT)], 1);
    subject.phone.touch('move', [{ x: 0.2, y: 0.8 }], 2);
    subject.phone.releaseAll();
    t.equal(subject.app.overlay, undefined);
    pull(subject, RIGHT);
    subject.clock.advance(400);
    const tile = places(subject, TILED[platform]).tiles[0];
    subject.phone.touch('begin', [subject.point(centre(tile?.area as Rect))], 3);
    subject.phone.releaseAll();
    t.match(subject.app, { appearance: 'light', overlay: TILED[platform] });
  });

  t.test(`${platform}: a memory warning stays among the notifications until they are cleared`, async (t) => {
    const subject = new ManualPhone(platform);
    subject.phone.simulateMemoryWarning(1);
    t.match(subject.app, { notices: [{ title: 'Memory warning' }] });
    pull(subject, LEFT);
    subject.clock.advance(400);
    subject.tap(centre(places(subject, 'notifications').clear as Rect));
    t.match(subject.app, { notices: { length: 0 }, overlay: 'notifications' });
  });
}

t.test('an app that has every pixel has those at the top, too', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('touch-lab');
  pull(subject, LEFT);
  t.match(subject.app, { overlay: undefined, lastGesture: { kind: 'swipe' } });
});
