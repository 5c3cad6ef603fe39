import type { Action } from './action.ts';
import { clearAppData } from './clear-app-data.ts';
import { gesture } from './gesture.ts';
import { insertText } from './insert-text.ts';
import { launchApp } from './launch-app.ts';
import { listApps } from './list-apps.ts';
import { pressButton } from './press-button.ts';
import { pressKey } from './press-key.ts';
import { reload } from './reload.ts';
import { rotate } from './rotate.ts';
import { rotateDigitalCrown } from './rotate-digital-crown.ts';
import { scroll } from './scroll.ts';
import { setRenderDebug } from './set-render-debug.ts';
import { simulateMemoryWarning } from './simulate-memory-warning.ts';
import { swipe } from './swipe.ts';
import { tap } from './tap.ts';
import { tapElement } from './tap-element.ts';
import { terminateApp } from './terminate-app.ts';
import { toggleSoftwareKeyboard } from './toggle-software-keyboard.ts';
import { typeText } from './type-text.ts';
import { uninstallApp } from './uninstall-app.ts';

/**
 * Every action of the contract. An action exists by standing here; the line above it is what editors tell of its method.
 */
export const ACTIONS = {
  /** Taps the screen; x and y are shares of its width and height, from the top left. */
  tap,
  /** Taps an element of the screen, which is waited for; see `Target`. */
  tapElement,
  /** Moves a finger from one point to another in 300 ms, or in `durationMs` of 50 to 30,000. */
  swipe,
  /** Moves one or two fingers, step by step: the first is `begin`, the last `end`, all between `move`. */
  gesture,
  /** Types 1 to 10,000 printable US ASCII characters, tabs and line feeds. */
  typeText,
  /** Inserts 1 to 10,000 Unicode characters at the caret, as a whole or not at all. */
  insertText,
  /** Presses a key, together with `modifiers`, for 50 ms or for `durationMs` of 20 to 30,000. */
  pressKey,
  /** Presses a button for 50 ms, or for `durationMs` of 20 to 30,000. */
  pressButton,
  /** Turns the device to an absolute orientation. */
  rotate,
  /** Restarts the foreground app. */
  reload,
  /** Scrolls by shares of the viewport, from -1 to 1; positive ones bring what comes later. */
  scroll,
  /** Shows the software keyboard, or hides it. */
  toggleSoftwareKeyboard,
  /** Makes the system tell its apps that memory is short. */
  simulateMemoryWarning,
  /** Part of the vocabulary; phones answer it with `unsupported_action`. */
  rotateDigitalCrown,
  /** Shows how iOS draws. iOS only. */
  setRenderDebug,
  /** Lists the apps of the device, and tells which of them run and which is in front. */
  listApps,
  /** Starts an app or brings it to the front, with `arguments` by name or a URL. */
  launchApp,
  /** Ends an app. */
  terminateApp,
  /** Ends an app and forgets everything that it has stored. */
  clearAppData,
  /** Removes an app that the session has brought. */
  uninstallApp,
} as const;

export type ActionName = keyof typeof ACTIONS;
export const ACTION_NAMES = Object.keys(ACTIONS) as readonly ActionName[];

/** The types of each action, inferred from its value, by name. */
type Said = {
  readonly [Name in ActionName]: (typeof ACTIONS)[Name] extends Action<
    Name,
    infer Input,
    infer Fields,
    infer Result,
    infer Args,
    infer Options,
    infer Alias
  >
    ? { input: Input; fields: Fields; result: Result; args: Args; options: Options; alias: Alias }
    : never;
};
/** The own fields of an action as a client sends them. */
export type InputOf<Name extends ActionName> = Said[Name]['input'];
/** The own fields of an action with every default filled in. */
export type FieldsOf<Name extends ActionName> = Said[Name]['fields'];
/** The `result` of an action that completed; `undefined` where it has none. */
export type ResultOf<Name extends ActionName> = Said[Name]['result'];
/** The arguments of an action's method, and its own options. */
export type ArgsOf<Name extends ActionName> = Said[Name]['args'];
export type OptionsOf<Name extends ActionName> = Said[Name]['options'];
/** The other name of an action's method; `never` where it has none. */
export type AliasOf<Name extends ActionName> = Said[Name]['alias'];

/** One action with its defaults, without the common fields. */
export type ActionFields = { [Name in ActionName]: { readonly action: Name } & FieldsOf<Name> }[ActionName];

/** The fields that every interaction has when it is checked. */
export interface Common {
  readonly requestId: string;
  readonly timeoutMs: number;
}

/** A validated interaction: every default filled in, nothing of the caller's own object in it. */
export type InteractionRequest = Common & ActionFields;
