import { KEY_TEXT, type Key, type Modifier } from '@runcloud/protocol/terms';
import type { Environment } from '../environment.ts';
import { type TextEditor, wordAfter, wordBefore } from './editor.ts';

/** Vertical movement of the caret; absent in a field of one line. */
export interface LineMoves {
  lineStart(caret: number): number;
  lineEnd(caret: number): number;
  /** The position of the caret `lines` further down, or further up if negative. */
  vertical(caret: number, lines: number): number;
  /** Lines that a page key moves by. */
  readonly pageLines: number;
}

/** Applies a hardware key to the text; `false` if the key has no meaning in a text field. */
export function applyKey(
  editor: TextEditor,
  key: Key,
  modifiers: readonly Modifier[],
  environment: Environment,
  lines: LineMoves,
): boolean {
  const target = movement(editor, key, modifiers, environment, lines);
  if (target !== undefined) {
    editor.moveTo(target, modifiers.includes('shift'));
    return true;
  }
  if (key === 'backspace') {
    const byWord = modifiers.includes(wordModifier(environment));
    editor.deleteTo(byWord ? wordBefore(editor.text, editor.caret) : editor.before);
    return true;
  }
  if (key === 'delete') {
    editor.deleteTo(editor.after);
    return true;
  }
  if (isCommand(modifiers)) return applyShortcut(editor, key, environment);
  const text = textOf(key, modifiers, environment);
  if (text === undefined) return false;
  editor.insert(text);
  return true;
}

/** A letter together with these is a shortcut. */
const isCommand = (modifiers: readonly Modifier[]): boolean =>
  modifiers.includes('control') || modifiers.includes('meta');

/** Whether a key pastes what the clipboard holds. */
export const pastes = (key: Key, modifiers: readonly Modifier[]): boolean => key === 'v' && isCommand(modifiers);

function wordModifier(environment: Environment): Modifier {
  return environment.platform === 'ios' ? 'alt' : 'control';
}

function movement(
  editor: TextEditor,
  key: Key,
  modifiers: readonly Modifier[],
  environment: Environment,
  lines: LineMoves,
): number | undefined {
  const { text, caret, selection } = editor;
  const byWord = modifiers.includes(wordModifier(environment));
  const collapses = selection[0] !== selection[1] && !modifiers.includes('shift') && !byWord;
  switch (key) {
    case 'arrowLeft':
      if (collapses) return selection[0];
      return byWord ? wordBefore(text, caret) : editor.before;
    case 'arrowRight':
      if (collapses) return selection[1];
      return byWord ? wordAfter(text, caret) : editor.after;
    case 'arrowUp':
      return lines.vertical(caret, -1);
    case 'arrowDown':
      return lines.vertical(caret, 1);
    case 'pageUp':
      return lines.vertical(caret, -lines.pageLines);
    case 'pageDown':
      return lines.vertical(caret, lines.pageLines);
    case 'home':
      return lines.lineStart(caret);
    case 'end':
      return lines.lineEnd(caret);
    default:
      return undefined;
  }
}

function applyShortcut(editor: TextEditor, key: Key, { clipboard }: Environment): boolean {
  if (key === 'a') editor.selectAll();
  else if (key === 'v') editor.insert(clipboard.text);
  else if (key === 'c' || key === 'x') {
    if (editor.selectedText === '') return true;
    clipboard.text = editor.selectedText;
    if (key === 'x') editor.insert('');
  } else return false;
  return true;
}

/** The character that a key types under shift and caps lock. */
export function textOf(key: Key, modifiers: readonly Modifier[], { state }: Environment): string | undefined {
  const pair = KEY_TEXT.get(key);
  if (!pair) return undefined;
  const isLetter = key.length === 1 && key >= 'a' && key <= 'z';
  const shifted = modifiers.includes('shift') !== (isLetter && state.capsLock);
  return shifted ? pair[1] : pair[0];
}
