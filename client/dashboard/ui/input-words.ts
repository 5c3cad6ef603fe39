import { count, span } from './words.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What an input did, as people say it: "Tap at 39 %, 92 %". An action that is not known here is told by its name. */
export function inputWords(action: string, fields: Fields): string {
  return WORDS[action]?.(fields) ?? named(action);
}

const WORDS: Readonly<Record<string, (fields: Fields) => string>> = {
  tap: (fields) => `Tap at ${place(fields)}`,
  tapElement: ({ target }) => `Tap ${element(target)}`,
  swipe: ({ from, to, durationMs }) => `Swipe from ${place(from)} to ${place(to)}${during(durationMs)}`,
  gesture: (fields) => `Gesture of ${fingers(fields)}`,
  pointer: (fields) => `Drag of ${fingers(fields)}`,
  typeText: (fields) => `Type ${text(fields)}`,
  insertText: (fields) => `Insert ${text(fields)}`,
  pressKey: ({ key, modifiers }) => `Press ${[...list(modifiers), key].join(' + ')}`,
  pressButton: ({ button, durationMs }) => `Button ${named(String(button)).toLowerCase()}${held(durationMs)}`,
  rotate: ({ orientation }) => `Turn to ${String(orientation).replaceAll('_', ' ')}`,
  scroll: ({ deltaX, deltaY }) => `Scroll by ${percent(deltaX)}, ${percent(deltaY)}`,
  scrollTo: ({ target }) => `Scroll to ${element(target)}`,
  launchApp: ({ app }) => `Launch ${app}`,
  terminateApp: ({ app }) => `End ${app}`,
  clearAppData: ({ app }) => `Delete the data of ${app}`,
  installApp: ({ asset }) => `Install ${asset}`,
  uninstallApp: ({ app }) => `Remove ${app}`,
  resetDevice: () => 'Reset the device',
  followRoute: ({ points, speedMPerS }) =>
    `Route of ${(points as readonly unknown[] | undefined)?.length} points at ${speedMPerS} m/s`,
  sendPush: ({ app }) => `Push notification to ${app}`,
  authenticateBiometric: ({ match }) => (match ? 'The right face or finger' : 'A wrong face or finger'),
  setPermission: ({ app, permission, access }) => `Permission ${permission} of ${app}: ${access}`,
  setLocation: ({ latitude, longitude }) => `Location ${latitude}, ${longitude}`,
  'snapshot.create': ({ name }) => `Keep the snapshot ${name}`,
  'media.add': ({ name }) => `Add ${name} to the photos`,
  'file.list': (fields) => `List ${file(fields)}`,
  'file.pull': (fields) => `Read ${file(fields)}`,
  'file.push': (fields) => `Write ${file(fields)}`,
  'file.delete': (fields) => `Delete ${file(fields)}`,
  'open-url': ({ url }) => `Open ${url}`,
};

const percent = (share: unknown): string => `${Math.round(Number(share ?? 0) * 100)}\u00a0%`;

function place(point: unknown): string {
  const { x, y } = (point ?? {}) as Fields;
  return `${percent(x)}, ${percent(y)}`;
}

/** What a person looks for on the screen. */
function element(target: unknown): string {
  const { ref, text: said, id, role, near } = (target ?? {}) as Fields;
  if (ref !== undefined) return String(ref);
  const name = said === undefined ? (id ?? '') : `“${said}”`;
  return [role, name, near === undefined ? '' : `near “${near}”`].filter(Boolean).join(' ');
}

/** Below its root, which is named where it is that of an app. */
const file = ({ root, path }: Fields): string => `${root === 'shared' ? '' : `${root}/`}${path}`;

const held = (ms: unknown): string => (typeof ms === 'number' ? `, held for ${milliseconds(ms)}` : '');
const during = (ms: unknown): string => (typeof ms === 'number' && ms > 0 ? ` in ${milliseconds(ms)}` : '');

/** "12 ms", "1.4 s", "4 min 10 s". */
export function milliseconds(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : span(ms);
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function fingers({ steps }: Fields): string {
  const [first] = list(steps) as { readonly points?: readonly unknown[] }[];
  return count(first?.points?.length ?? 1, 'finger');
}

/** A text may be told by its length alone. */
function text({ text: typed, textCharacters }: Fields): string {
  return typeof typed === 'string' ? `“${typed}”` : count(Number(textCharacters ?? 0), 'character');
}

/** `toggleSoftwareKeyboard` as people read it. */
function named(action: string): string {
  const words = action
    .replace(/[-._]/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, end, begin) => `${end} ${begin.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
