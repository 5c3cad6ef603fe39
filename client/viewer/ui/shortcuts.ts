import { openDialog } from '../../page/dialog.ts';
import { element } from '../../page/element.ts';
import type { Inspector } from '../inspector/inspector.ts';

const KEYBOARD = [
  ['Any key', 'goes to the device while the screen has the focus'],
  ['Ctrl V or ⌘ V', 'inserts the text of your clipboard'],
  ['Shift Escape', 'takes the keyboard back to the page'],
  ['I', 'inspects the elements of the screen, while the page has the keyboard'],
  ['?', 'shows this list, while the page has the keyboard'],
] as const;
const MOUSE = [
  ['Click, drag', 'one finger'],
  ['Alt and drag', 'two fingers that pinch or turn'],
  ['Alt Shift and drag', 'two fingers that move together'],
  ['Wheel', 'scrolls'],
  ['Right click', 'goes back, where the device has a Back button'],
  ['Hold a button', 'holds the button of the device'],
  ['Drop an app', 'starts a new session with it, if you are signed in'],
] as const;

const table = (title: string, rows: readonly (readonly [string, string])[]): HTMLElement[] => [
  element('h3', {}, title),
  element(
    'dl',
    { class: 'shortcuts' },
    ...rows.map(([keys, effect]) => element('div', {}, element('dt', {}, keys), element('dd', {}, effect))),
  ),
];

/** A list of all that keyboard and mouse do. */
export const showShortcuts = (): Promise<boolean> =>
  openDialog({ title: 'Shortcuts', content: [...table('Keyboard', KEYBOARD), ...table('Mouse', MOUSE)] });

/** Opens the list by `?` and inspects by `i`, unless the key belongs to the device or to a field. */
export function listenForShortcuts(inspector: Inspector): void {
  document.addEventListener('keydown', (event) => {
    const { target } = event;
    const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (isText || event.ctrlKey || event.metaKey || document.querySelector('dialog[open]') !== null) return;
    if (event.key === '?') void showShortcuts();
    if (event.key.toLowerCase() === 'i') inspector.toggle();
  });
}
