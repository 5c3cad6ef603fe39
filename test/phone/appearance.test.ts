import { PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import { statusContrast } from './frames.ts';
import { differing, ManualPhone, words } from './manual-phone.ts';
import { search } from './motions.ts';

/** The share of a picture that is nearly white. */
function lightShare(subject: ManualPhone): number {
  const all = words(subject.phone.render());
  const light = all.filter(
    (word) => (word & 0xff) > 200 && ((word >>> 8) & 0xff) > 200 && ((word >>> 16) & 0xff) > 200,
  );
  return light.length / all.length;
}

/** Everything that the phone can show, by name. */
const VIEWS: readonly (readonly [name: string, show: (subject: ManualPhone) => void])[] = [
  ['home', () => undefined],
  ...['notes', 'browser', 'settings', 'scroll', 'motion', 'touch-lab'].map(
    (app) => [app, (subject: ManualPhone) => subject.open(app)] as const,
  ),
  ['a page', ({ phone }) => phone.openUrl('https://example.com/', 1)],
  [
    'the switcher',
    (subject) => {
      subject.open('notes');
      subject.button('recents');
    },
  ],
  [
    'the lock screen',
    (subject) => {
      subject.button('power');
      subject.button('power');
    },
  ],
  ['the power menu', (subject) => subject.button('power', 1_200)],
  ['the notifications', (subject) => subject.swipe({ x: 100, y: 10 }, { x: 100, y: 300 })],
  ['the control centre', (subject) => subject.swipe({ x: 500, y: 10 }, { x: 500, y: 300 })],
  ['the second page', (subject) => subject.swipe({ x: 500, y: 600 }, { x: 200, y: 600 })],
  ['the search', (subject) => search(subject)],
  ['the volume', (subject) => subject.button('volumeUp')],
];

/** Views without a status bar that can be read. */
const WITHOUT_STATUS = ['touch-lab', 'the power menu'];

for (const platform of PLATFORMS) {
  for (const [name, show] of VIEWS) {
    t.test(`${platform}: in dark mode ${name} is dark, can be read, and becomes light again`, async (t) => {
      const [light, dark] = [new ManualPhone(platform), new ManualPhone(platform)];
      dark.phone.settings.setAppearance('dark');
      for (const subject of [light, dark]) {
        show(subject);
        subject.clock.advance(400);
      }
      t.ok(lightShare(dark) < 0.1, `${Math.round(lightShare(dark) * 100)} % of it is light`);
      if (!WITHOUT_STATUS.includes(name)) t.ok(statusContrast(dark, dark.phone.render()) > 70);
      const pixels = words(dark.phone.render());
      t.equal(differing(pixels, words(dark.phone.redraw())).length, 0);
      dark.phone.settings.setAppearance('light');
      if (name === 'the switcher') return;
      t.equal(differing(words(dark.phone.render()), words(light.phone.render())).length, 0);
    });
  }
}
