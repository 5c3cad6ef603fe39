import type { Rect } from '../../device/driver.ts';
import { colour } from '../draw/colour.ts';
import { TAP } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import { clamp, contains, type Pixel, type Size } from '../geometry.ts';
import type { TextEditor } from '../text/editor.ts';

export type EditAction = 'cut' | 'copy' | 'paste' | 'selectAll';

const NAMES: Readonly<Record<EditAction, string>> = {
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  selectAll: 'Select all',
};

interface Entry {
  readonly action: EditAction;
  readonly area: Rect;
}

/** What can be done with a text now. */
function actions({ text, selection: [from, to] }: TextEditor, clipboard: string): readonly EditAction[] {
  const found: EditAction[] = from < to ? ['cut', 'copy'] : [];
  if (clipboard !== '') found.push('paste');
  if (to - from < text.length) found.push('selectAll');
  return found;
}

/** The entries side by side above a place in the text, or below it where there is no room. */
function entries(editor: TextEditor, environment: Environment, place: Rect, size: Size): readonly Entry[] {
  const { px, fonts } = environment.theme;
  const height = px(40);
  const all = actions(editor, environment.clipboard.text);
  const widths = all.map((action) => Math.ceil(fonts.label.width(NAMES[action])) + px(26));
  const total = widths.reduce((sum, width) => sum + width, 0);
  const middle = place.x + place.width / 2;
  let x = Math.round(clamp(middle - total / 2, px(8), Math.max(px(8), size.width - px(8) - total)));
  const above = place.y - height - px(10);
  const y = above < 0 ? place.y + place.height + px(16) : above;
  return all.map((action, index) => {
    const area = { x, y, width: widths[index] ?? 0, height };
    x += area.width;
    return { action, area };
  });
}

/** @param place of the selection or the caret */
export function editActionAt(
  editor: TextEditor,
  environment: Environment,
  place: Rect,
  size: Size,
  at: Pixel,
): EditAction | undefined {
  return entries(editor, environment, place, size).find(({ area }) => contains(area, at))?.action;
}

/** Does what an entry says. */
export function applyEdit(editor: TextEditor, action: EditAction, { clipboard }: Environment): void {
  if (action === 'selectAll') return editor.selectAll();
  if (action === 'paste') return editor.insert(clipboard.text);
  clipboard.text = editor.selectedText;
  if (action === 'cut') editor.insert('');
}

export function paintEditMenu(
  scene: Scene,
  editor: TextEditor,
  environment: Environment,
  place: Rect,
  size: Size,
): void {
  const { px, fonts, palette, platform } = environment.theme;
  const all = entries(editor, environment, place, size);
  const [first, last] = [all[0]?.area, all.at(-1)?.area];
  if (!first || !last) return;
  const card = { ...first, width: last.x + last.width - first.x };
  scene.shadow(card, px(14), px(4), colour(0x000000, 0.25));
  scene.round(card, px(platform === 'ios' ? 10 : 20), palette.card);
  all.forEach(({ action, area }, index) => {
    scene.node({ role: 'button', name: NAMES[action], id: `edit.${action}`, actions: TAP }, area, () => {
      scene.text(NAMES[action], area.x + area.width / 2, area.y + px(25), fonts.label, palette.text, 'centre');
    });
    if (index === 0) return;
    scene.rect({ x: area.x, y: area.y + px(10), width: 1, height: area.height - px(20) }, palette.separator);
  });
}
