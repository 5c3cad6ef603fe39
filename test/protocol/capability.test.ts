import t from 'tap';
import {
  ACTION_NAMES,
  type InteractionRequest,
  platformCapabilities,
  unsupportedReason,
  unsupportedTouch,
} from '../../protocol/index.ts';
import { BUTTONS, KEYS, ORIENTATIONS, PLATFORMS, type Platform, RENDER_OPTIONS } from '../../protocol/terms.ts';
import { accept } from './checks.ts';

const onPlatform = (request: InteractionRequest, platform: Platform) =>
  unsupportedReason(request, platformCapabilities(platform), platform);
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
  ['insertText', { action: 'insertText', text: 'é' }, BOTH],
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
      const reason = onPlatform(accept(body, t), platform);
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
    onPlatform(accept({ action: 'rotate', orientation: 'portrait_upside_down' }), 'ios'),
    '"rotate" to "portrait_upside_down" is not supported on ios; ' +
      'supported orientations: portrait, landscape_left, landscape_right.',
  );
});

t.test('the refusal of a button names the supported ones', async (t) => {
  const reason = (name: string, platform: Platform) => onPlatform(accept(button(name)), platform);
  t.match(reason('menu', 'ios'), /supported buttons: home, appSwitcher, recents, power, volumeUp, volumeDown, side/);
  t.match(reason('sideButton', 'android'), /supported buttons: home, back, appSwitcher/);
});

t.test('each thing that a device lacks is refused by its name', async (t) => {
  const all = platformCapabilities('android');
  const refusals: readonly [object, Record<string, unknown>, RegExp][] = [
    [{ actions: ACTION_NAMES.filter((name) => name !== 'reload') }, { action: 'reload' }, /"reload"/],
    [
      { orientations: ['portrait'] },
      { action: 'rotate', orientation: 'landscape_left' },
      /supported orientations: portrait/,
    ],
    [{ buttons: ['home'] }, { action: 'pressButton', button: 'back' }, /supported buttons: home/],
    [{ holds: false }, { action: 'pressButton', button: 'home', durationMs: 60 }, /durationMs/],
    [{ holds: false }, { action: 'pressKey', key: 'a', durationMs: 60 }, /durationMs/],
    [{ modifiers: false }, { action: 'pressKey', key: 'a', modifiers: ['alt'] }, /modifiers/],
    [{}, { action: 'typeText', text: 'a', target: { text: 'Name' } }, /^"target" is not supported by this device/],
    [{}, { action: 'pressKey', key: 'capsLock' }, /capsLock/],
    [
      { actions: ACTION_NAMES },
      { action: 'setRenderDebug', option: 'slowAnimations', enabled: true },
      /slowAnimations/,
    ],
  ];
  for (const [lacks, body, message] of refusals) {
    t.match(unsupportedReason(accept(body), { ...all, ...lacks }, 'android'), message);
  }
  t.equal(unsupportedReason(accept({ action: 'pressKey', key: 'a' }), { ...all, holds: false }, 'android'), undefined);
});

t.test('fingers are counted, also those of a live gesture', async (t) => {
  const all = platformCapabilities('android');
  t.match(unsupportedTouch(2, { ...all, fingers: 1 }), /two fingers/);
  t.equal(unsupportedTouch(1, { ...all, fingers: 1 }), undefined);
  t.match(unsupportedTouch(1, { ...all, freeGestures: false }), /several steps/);
  t.match(unsupportedReason(accept(gesture([point])), { ...all, freeGestures: false }, 'android'), /several steps/);
});

t.test('the platform is named where no device of it could do more, else the device', async (t) => {
  const can = { ...platformCapabilities('ios'), orientations: ['portrait'] as const, actions: ['rotate'] as const };
  const reason = (body: Record<string, unknown>) => unsupportedReason(accept(body), can, 'ios');
  t.match(reason({ action: 'rotate', orientation: 'portrait_upside_down' }), /not supported on ios; .*landscape_left/);
  t.match(reason({ action: 'rotate', orientation: 'landscape_left' }), /not supported by this device; .*: portrait\.$/);
  t.equal(reason({ action: 'reload' }), '"reload" is not supported by this device.');
  t.equal(reason({ action: 'rotateDigitalCrown', delta: 1 }), '"rotateDigitalCrown" is not supported on ios.');
});
