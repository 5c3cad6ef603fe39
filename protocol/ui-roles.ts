/** The kinds of elements that a screen consists of. */
export const UI_ROLES = [
  'app',
  'window',
  'heading',
  'text',
  'button',
  'link',
  'textfield',
  'switch',
  'checkbox',
  'slider',
  'tab',
  'list',
  'cell',
  'image',
  'alert',
  'sheet',
  'keyboard',
  'web',
  'other',
] as const;
export type UiRole = (typeof UI_ROLES)[number];
