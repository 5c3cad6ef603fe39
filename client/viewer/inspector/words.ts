import type { UiNode } from '@runcloud/protocol';

const TEXT_MAX = 60;

/** What an element is, in a line: `button "Save" id notes.save @4` */
export function wordsOf({ role, name, value, id, ref }: UiNode): string {
  const words: string[] = [role];
  if (name !== undefined) words.push(said(name));
  if (value !== undefined) words.push(`= ${said(value)}`);
  if (id !== undefined) words.push(`id ${id}`);
  if (ref !== undefined) words.push(ref);
  return words.join(' ');
}

const said = (text: string): string => JSON.stringify(text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text);
