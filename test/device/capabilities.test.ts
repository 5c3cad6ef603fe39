import { ACTION_NAMES, checkInteraction, PLATFORMS } from '@runcloud/protocol';
import t from 'tap';
import { platformCapabilities, unsupportedByDevice, unsupportedTouch } from '../../server/device/capabilities.ts';

const request = (body: object) => {
  const checked = checkInteraction(body, () => 'r');
  if (!checked.ok) throw new Error(checked.fault.message);
  return checked.value;
};
const point = { x: 0.5, y: 0.5 };
const gesture = (points: readonly object[]) =>
  request({
    action: 'gesture',
    steps: [
      { phase: 'begin', points },
      { phase: 'end', points },
    ],
  });

t.test('a device that can do all that its platform offers refuses nothing', async (t) => {
  for (const platform of PLATFORMS) {
    const can = platformCapabilities(platform);
    for (const body of [
      { action: 'tap', ...point },
      { action: 'pressKey', key: 'a', modifiers: ['shift'], durationMs: 500 },
      { action: 'pressButton', button: 'home', durationMs: 500 },
      { action: 'rotate', orientation: 'landscape_left' },
      { action: 'reload' },
    ]) {
      t.equal(unsupportedByDevice(request(body), can), undefined, body.action);
    }
    t.equal(unsupportedByDevice(gesture([point, point]), can), undefined);
  }
});

t.test('each thing that a device lacks is refused by its name', async (t) => {
  const all = platformCapabilities('android');
  const refusals: readonly [object, object, RegExp][] = [
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
    [{}, { action: 'pressKey', key: 'capsLock' }, /capsLock/],
    [
      { actions: ACTION_NAMES },
      { action: 'setRenderDebug', option: 'slowAnimations', enabled: true },
      /slowAnimations/,
    ],
  ];
  for (const [lacks, body, message] of refusals) {
    t.match(unsupportedByDevice(request(body), { ...all, ...lacks }), message);
  }
  t.equal(unsupportedByDevice(request({ action: 'pressKey', key: 'a' }), { ...all, holds: false }), undefined);
});

t.test('fingers are counted, also those of a live gesture', async (t) => {
  const all = platformCapabilities('android');
  t.match(unsupportedTouch(2, { ...all, fingers: 1 }), /two fingers/);
  t.equal(unsupportedTouch(1, { ...all, fingers: 1 }), undefined);
  t.match(unsupportedTouch(1, { ...all, freeGestures: false }), /several steps/);
  t.match(unsupportedByDevice(gesture([point]), { ...all, freeGestures: false }), /several steps/);
});
