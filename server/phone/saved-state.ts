import {
  APPEARANCES,
  BUTTONS,
  compileCheck,
  DECISION,
  type Fault,
  fault,
  LOCALE,
  MODIFIERS,
  NETWORK_LIMIT_VALUES,
  NETWORKS,
  ORIENTATIONS,
  oneOf,
  PERMISSIONS,
  PLACE,
  RENDER_OPTIONS,
} from '@runcloud/protocol';
import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { GESTURE_KINDS } from './apps/gesture.ts';
import { APP_EVENTS } from './apps/installed-app-view.ts';
import { savedFile, savedFilesFault } from './saved-files.ts';
import { KEYBOARD_PAGES } from './system/keyboard-layouts.ts';
import { TEXT_SCALES } from './theme.ts';

/**
 * The state of a phone at rest, as plain data: fingers, keys and buttons are up, motions are at their end, and notices that go by
 * themselves are gone. A change of what it means needs another `SAVED_STATE_VERSION`. Loaded when a state is read, since TypeBox
 * is as large as all the rest of a phone.
 */
export const SAVED_STATE_VERSION = 1;

const only = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false });
const count = Type.Integer({ minimum: 0 });
const pixel = only({ x: Type.Number(), y: Type.Number() });

const text = only({ text: Type.String(), caret: count, anchor: count });
/** A text that is being edited. */
export type SavedText = Static<typeof text>;

const offset = only({ offset: count });
/** How far a list is scrolled, in pixels. */
export type SavedOffset = Static<typeof offset>;

/** What the row of the face or finger says. */
export const BIOMETRIC_STATES = ['waiting', 'match', 'mismatch'] as const;
const settings = only({ ...offset.properties, biometric: Type.Optional(oneOf(BIOMETRIC_STATES)) });
export type SavedSettings = Static<typeof settings>;

const notes = only({
  ...text.properties,
  ...offset.properties,
  menuShown: Type.Boolean(),
  /** Whether a tap has put the caret where it is: another one there brings the menu. */
  tapped: Type.Boolean(),
});
export type SavedNotes = Static<typeof notes>;

const motion = only({ elapsedMs: Type.Number({ minimum: 0 }) });
export type SavedMotion = Static<typeof motion>;

const card = only({
  counts: only({
    taps: count,
    doubleTaps: count,
    longPresses: count,
    swipes: count,
    pairs: count,
    cancels: count,
    keys: count,
  }),
  marks: Type.Array(only({ finger: count, ...pixel.properties })),
  lastKey: count,
  modifiers: count,
  text: Type.String(),
});
/** What a test card has received. */
export type SavedCard = Static<typeof card>;

const filesApp = only({ path: Type.String(), ...offset.properties });
/** The folder that is open, and how far its list is scrolled. */
export type SavedFilesApp = Static<typeof filesApp>;

const browser = only({
  history: Type.Array(Type.String(), { minItems: 1 }),
  loads: Type.Integer({ minimum: 1 }),
  /** What the address field holds while it has the caret. */
  typed: Type.Optional(text),
  cardVisits: count,
  isUnreached: Type.Boolean(),
  isGivenUp: Type.Boolean(),
  isLoading: Type.Boolean(),
  /** The page in front, where it is the test card. */
  card: Type.Optional(card),
});
export type SavedBrowser = Static<typeof browser>;

/** Where its line begins, and the places since. */
const trail = Type.Array(pixel, { maxItems: 300 });
export type SavedTrail = Static<typeof trail>;

const touchLab = only({
  trails: Type.Array(trail, { maxItems: 2 }),
  pointerCountMax: count,
  taps: count,
  lastTouch: Type.Optional(pixel),
  lastGesture: Type.Optional(
    only({ kind: oneOf(GESTURE_KINDS), durationMs: Type.Number(), pointerCount: count, from: pixel, to: pixel }),
  ),
  lastKey: Type.Optional(
    only({ key: Type.String(), modifiers: Type.Array(oneOf(MODIFIERS)), heldMs: Type.Optional(Type.Number()) }),
  ),
  lastButton: Type.Optional(only({ button: oneOf(BUTTONS), heldMs: Type.Number() })),
  text: Type.String(),
});
export type SavedTouchLab = Static<typeof touchLab>;

const installedApp = only({
  url: Type.Optional(Type.String()),
  arguments: Type.Record(Type.String(), Type.String()),
  events: Type.Array(
    only({
      wallMs: Type.Number(),
      type: oneOf(APP_EVENTS),
    }),
  ),
  inFront: Type.Boolean(),
  ...offset.properties,
});
export type SavedInstalledApp = Static<typeof installedApp>;

/** The state of any app; which one is told by the app's id. */
// biome-ignore lint/suspicious/noExplicitAny: each app takes what it has given, which `savedPhoneFault` checks by its id.
export type SavedApp = any;

/** What each app that every phone has keeps. */
export const SAVED_BUILT_IN: Readonly<Record<string, TSchema>> = {
  'touch-lab': touchLab,
  notes,
  browser,
  settings,
  scroll: offset,
  motion,
  photos: only({}),
  files: filesApp,
};

const keyboard = only({ page: oneOf(KEYBOARD_PAGES), lowered: Type.Boolean() });
export type SavedKeyboard = Static<typeof keyboard>;

const state = only({
  orientation: oneOf(ORIENTATIONS),
  display: Type.Optional(Type.String()),
  screenOn: Type.Boolean(),
  locked: Type.Boolean(),
  foreground: Type.String(),
  overlay: Type.Optional(oneOf(['powerMenu', 'assistant', 'menu', 'notifications', 'controlCentre'])),
  keyboardShown: Type.Boolean(),
  volume: Type.Integer({ minimum: 0, maximum: 16 }),
  silent: Type.Boolean(),
  memoryWarnings: count,
  notices: Type.Array(
    only({ title: Type.String(), text: Type.String(), wallMs: Type.Number(), app: Type.Optional(Type.String()) }),
  ),
  shift: oneOf(['off', 'once', 'locked']),
  capsLock: Type.Boolean(),
  renderOptions: Type.Array(oneOf(RENDER_OPTIONS)),
  animations: Type.Boolean(),
  appearance: oneOf(APPEARANCES),
  /** Absent for the usual one. */
  locale: Type.Optional(LOCALE),
  textScale: Type.Number({ minimum: TEXT_SCALES.min, maximum: TEXT_SCALES.max }),
  network: oneOf(NETWORKS),
  networkLimits: only(NETWORK_LIMIT_VALUES),
  location: Type.Optional(only(PLACE)),
  permissions: Type.Optional(Type.Array(only(DECISION))),
});

const SavedPhone = only({
  state,
  clipboard: Type.String(),
  /** Absent where there are none. */
  files: Type.Optional(Type.Array(savedFile)),
  /** Apps besides the built-in ones, by their ids, in the order of the home screen. */
  installed: Type.Array(Type.String()),
  /** Most recently used first. */
  running: Type.Array(only({ app: Type.String(), state: Type.Unknown() })),
  /** Of the home screen. */
  page: count,
  /** What the search holds; absent while it is away. */
  search: Type.Optional(text),
  keyboard,
  /** How far the switcher's cards are scrolled, in pixels. */
  switcherScroll: Type.Number({ minimum: 0 }),
  /** Questions whether a URL may be opened, or what an app may use; the one that is shown first. */
  prompts: Type.Array(
    Type.Union([
      only({ app: Type.String(), scheme: Type.String(), url: Type.String() }),
      only({ app: Type.String(), permission: oneOf(PERMISSIONS) }),
    ]),
  ),
  /** What has been allowed so. */
  allowed: Type.Array(Type.String()),
});
export type SavedPhone = Static<typeof SavedPhone>;

let check: ((value: unknown) => Fault | undefined) | undefined;

/** The first thing that keeps a value from being the state of a phone; `undefined` where it is one. */
export function savedPhoneFault(value: unknown): Fault | undefined {
  check ??= compileCheck(SavedPhone);
  const found = check(value);
  if (found) return found;
  const { state, installed, running, prompts, files = [] } = value as SavedPhone;
  const strays = savedFilesFault(files, new Set(['shared', ...installed.map((id) => `app:${id}`)]));
  if (strays) return strays;
  const known = new Set<string>([...Object.keys(SAVED_BUILT_IN), ...installed]);
  for (const [index, { app, state }] of running.entries()) {
    if (!known.has(app)) return fault(`running[${index}].app`, 'is not installed');
    const schema = (Object.hasOwn(SAVED_BUILT_IN, app) && SAVED_BUILT_IN[app]) || installedApp;
    const wrong = compileCheck(schema)(state);
    if (wrong) return fault(`running[${index}].state.${wrong.path}`, wrong.message);
  }
  for (const [index, { app }] of prompts.entries()) {
    if (!known.has(app)) return fault(`prompts[${index}].app`, 'is not installed');
  }
  const { foreground } = state;
  if (foreground === 'home' || foreground === 'switcher' || running.some(({ app }) => app === foreground)) return;
  return fault('state.foreground', 'is no running app');
}
