/** Every action of the contract, in the order of the specification, section 4.3. */
export const ACTION_NAMES = [
  'tap',
  'swipe',
  'gesture',
  'typeText',
  'pressKey',
  'pressButton',
  'rotate',
  'reload',
  'scroll',
  'toggleSoftwareKeyboard',
  'simulateMemoryWarning',
  'rotateDigitalCrown',
  'setRenderDebug',
] as const;
export type ActionName = (typeof ACTION_NAMES)[number];
