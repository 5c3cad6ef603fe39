import t from 'tap';
import {
  BUTTONS,
  KEYS,
  ORIENTATIONS,
  PLATFORMS,
  type Platform,
  RENDER_OPTIONS,
  unsupportedReason,
} from '../../protocol/terms.ts';
import { accept } from './checks.ts';

const BOTH = ['ios', 'android'];
const point = { x: 0.5, y: 0.5 };
const gesture = (points: object[]) => ({
  action: 'gesture',
  steps: [
    { phase: 'begin', points },
    { phase: 'end', points },
  ],
});
const button = (name: string, durationMs?: number) => ({
  action: 'pressButton',
  button: name,
  ...(durationMs === undefined ? {} : { durationMs }),
});

/** The capability matrix of the specification, section 2.8: a request and the platforms that can carry it out. */
const MATRIX: readonly (readonly [title: string, body: Record<string, unknown>, platforms: readonly string[]])[] = [
  ['tap', { action: 'tap', ...point }, BOTH],
  ['swipe', { action: 'swipe', from: point, to: point }, BOTH],
  ['one-finger gesture', gesture([point]), BOTH],
  ['two-finger gesture', gesture([point, point]), BOTH],
  ['typeText', { action: 'typeText', text: 'a' }, BOTH],
  ...KEYS.map(
    (key) =>
      [
        `key ${key}`,
        { action: 'pressKey', key, modifiers: ['meta'] },
        ['capsLock', 'numLock', 'scrollLock'].includes(key) ? ['ios'] : BOTH,
      ] as const,
  ),
  ...ORIENTATIONS.map(
    (orientation) =>
      [
        `rotate to ${orientation}`,
        { action: 'rotate', orientation },
        orientation === 'portrait_upside_down' ? ['android'] : BOTH,
      ] as const,
  ),
  ['reload', { action: 'reload' }, BOTH],
  ['scroll', { action: 'scroll', deltaX: 0, deltaY: 1 }, BOTH],
  ['toggleSoftwareKeyboard', { action: 'toggleSoftwareKeyboard' }, BOTH],
  ['simulateMemoryWarning', { action: 'simulateMemoryWarning' }, BOTH],
  ['rotateDigitalCrown', { action: 'rotateDigitalCrown', delta: 1 }, []],
  ...RENDER_OPTIONS.map(
    (option) => [`render option ${option}`, { action: 'setRenderDebug', option, enabled: true }, ['ios']] as const,
  ),
  ['button home', button('home'), BOTH],
  ['button back', button('back'), ['android']],
  ['button appSwitcher', button('appSwitcher'), BOTH],
  ['button recents', button('recents'), BOTH],
  ['button power', button('power', 2_000), BOTH],
  ['button volumeUp', button('volumeUp'), BOTH],
  ['button volumeDown', button('volumeDown'), BOTH],
  ['button menu', button('menu'), ['android']],
  ['button sideButton', button('sideButton'), ['ios']],
  ['button actionButton', button('actionButton'), ['ios']],
  ['button digitalCrown', button('digitalCrown'), []],
];

for (const [title, body, platforms] of MATRIX) {
  const where = platforms.length === 0 ? 'no platform' : platforms.join(' and ');
  t.test(`${title} is supported on ${where}`, async (t) => {
    for (const platform of PLATFORMS) {
      const reason = unsupportedReason(accept(body, t), platform);
      if (platforms.includes(platform)) t.equal(reason, undefined, platform);
      else t.match(reason, new RegExp(`^"${body.action}".* is not supported on ${platform}`));
    }
  });
}

t.test('the matrix covers every button, orientation and render option', async (t) => {
  const bodies = MATRIX.map(([, body]) => body);
  for (const name of BUTTONS) t.ok(bodies.some((body) => body.button === name));
  for (const option of RENDER_OPTIONS) t.ok(bodies.some((body) => body.option === option));
});

t.test('the refusal of an orientation names the supported ones', async (t) => {
  t.equal(
    unsupportedReason(accept({ action: 'rotate', orientation: 'portrait_upside_down' }), 'ios'),
    '"rotate" to "portrait_upside_down" is not supported on ios; ' +
      'supported orientations: portrait, landscape_left, landscape_right.',
  );
});

t.test('the refusal of a button names the supported ones', async (t) => {
  const reason = (name: string, platform: Platform) => unsupportedReason(accept(button(name)), platform);
  t.match(reason('menu', 'ios'), /supported buttons: home, appSwitcher, recents, power, volumeUp, volumeDown, side/);
  t.match(reason('sideButton', 'android'), /supported buttons: home, back, appSwitcher/);
});
