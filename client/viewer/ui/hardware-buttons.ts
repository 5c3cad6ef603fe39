import type { Button } from '@runcloud/protocol';
import type { IconName } from '../../page/icons.ts';
import { LIMITS } from '../protocol.ts';
import type { Viewer } from '../viewer.ts';
import { toolButton } from './tool-button.ts';

/** Names and order; a button that is not here has no place on the page. */
const BUTTONS: readonly (readonly [Button, string, IconName])[] = [
  ['back', 'Back', 'back'],
  ['home', 'Home', 'home'],
  ['appSwitcher', 'App switcher', 'recents'],
  ['recents', 'Recent apps', 'recents'],
  ['menu', 'Menu', 'menu'],
  ['volumeUp', 'Volume up', 'volumeUp'],
  ['volumeDown', 'Volume down', 'volumeDown'],
  ['power', 'Power', 'power'],
  ['sideButton', 'Side button', 'sideButton'],
  ['actionButton', 'Action button', 'actionButton'],
];

/** A press that is longer than a click holds the device's button for as long. */
const HOLD_FROM_MS = 300;

/** The platform's own buttons, as far as the session has them. */
export function hardwareButtons(viewer: Viewer, failed: (sentence: string) => void): HTMLButtonElement[] {
  const ready = viewer.ready;
  const has = new Set<Button>(ready?.capabilities.buttons ?? []);
  // Two names of one thing: each platform shows its own.
  if (has.has('appSwitcher') && has.has('recents')) {
    has.delete(ready?.session.platform === 'ios' ? 'recents' : 'appSwitcher');
  }
  return BUTTONS.filter(([button]) => has.has(button)).map(([button, name, picture]) =>
    toolButton(name, picture, (heldMs) => {
      const hold = heldMs < HOLD_FROM_MS ? {} : { durationMs: Math.min(Math.round(heldMs), LIMITS.holdDurationMs.max) };
      void viewer.act({ action: 'pressButton', button, ...hold }).then(({ error }) => {
        if (error) failed(error.message);
      });
    }),
  );
}
