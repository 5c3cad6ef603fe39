import type { Action } from './action.ts';
import { authenticateBiometric } from './authenticate-biometric.ts';
import { clearAppData } from './clear-app-data.ts';
import { clearLocation } from './clear-location.ts';
import { configureDevice } from './configure-device.ts';
import { followRoute } from './follow-route.ts';
import { gesture } from './gesture.ts';
import { insertText } from './insert-text.ts';
import { installApp } from './install-app.ts';
import { launchApp } from './launch-app.ts';
import { listApps } from './list-apps.ts';
import { pressButton } from './press-button.ts';
import { pressKey } from './press-key.ts';
import { readLocation } from './read-location.ts';
import { reload } from './reload.ts';
import { resetDevice } from './reset-device.ts';
import { rotate } from './rotate.ts';
import { rotateDigitalCrown } from './rotate-digital-crown.ts';
import { scroll } from './scroll.ts';
import { scrollTo } from './scroll-to.ts';
import { sendPush } from './send-push.ts';
import { setLocation } from './set-location.ts';
import { setPermission } from './set-permission.ts';
import { setRenderDebug } from './set-render-debug.ts';
import { simulateMemoryWarning } from './simulate-memory-warning.ts';
import { swipe } from './swipe.ts';
import { tap } from './tap.ts';
import { tapElement } from './tap-element.ts';
import { terminateApp } from './terminate-app.ts';
import { toggleSoftwareKeyboard } from './toggle-software-keyboard.ts';
import { typeText } from './type-text.ts';
import { uninstallApp } from './uninstall-app.ts';

/** Every action of the contract. An action exists by standing here; how programs call it stands in `methods.ts`. */
export const ACTIONS = {
  tap,
  tapElement,
  swipe,
  gesture,
  typeText,
  insertText,
  pressKey,
  pressButton,
  rotate,
  reload,
  scroll,
  scrollTo,
  toggleSoftwareKeyboard,
  simulateMemoryWarning,
  rotateDigitalCrown,
  setRenderDebug,
  listApps,
  launchApp,
  terminateApp,
  clearAppData,
  installApp,
  uninstallApp,
  setPermission,
  sendPush,
  authenticateBiometric,
  setLocation,
  clearLocation,
  followRoute,
  readLocation,
  configureDevice,
  resetDevice,
} as const;

export type ActionName = keyof typeof ACTIONS;
export const ACTION_NAMES = Object.keys(ACTIONS) as readonly ActionName[];

/** The types of each action, inferred from its value, by name. */
type Said = {
  readonly [Name in ActionName]: (typeof ACTIONS)[Name] extends Action<Name, infer Input, infer Fields, infer Result>
    ? { input: Input; fields: Fields; result: Result }
    : never;
};
/** The own fields of an action as a client sends them. */
export type InputOf<Name extends ActionName> = Said[Name]['input'];
/** The own fields of an action with every default filled in. */
export type FieldsOf<Name extends ActionName> = Said[Name]['fields'];
/** The `result` of an action that completed; `undefined` where it has none. */
export type ResultOf<Name extends ActionName> = Said[Name]['result'];

/** One action with its defaults, without the common fields. */
export type ActionFields = { [Name in ActionName]: { readonly action: Name } & FieldsOf<Name> }[ActionName];

/** The fields that every interaction has when it is checked. */
export interface Common {
  readonly requestId: string;
  readonly timeoutMs: number;
  /** The caller wants to be told what it changed on the screen. */
  readonly observe?: true;
}

/** A validated interaction: every default filled in, nothing of the caller's own object in it. */
export type InteractionRequest = Common & ActionFields;
