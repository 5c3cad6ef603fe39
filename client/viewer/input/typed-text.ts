import { LIMITS } from '../protocol.ts';
import type { Viewer } from '../viewer.ts';

/** A text without the characters that cannot be typed. */
export interface TypableText {
  readonly text: string;
  /** Different characters that were left out, in their order. */
  readonly refused: readonly string[];
}

/** Typographic forms that have a plain one. */
const PLAIN: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u2010': '-',
  '\u2011': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2212': '-',
  '\u2026': '...',
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u2009': ' ',
};

/** Leaves what a US keyboard types: printable ASCII, tabs and line feeds. */
export function typable(pasted: string): TypableText {
  const refused = new Set<string>();
  let text = '';
  for (const character of pasted.replace(/\r\n?/g, '\n')) {
    const plain = PLAIN[character] ?? character;
    if (/^[\x20-\x7e\t\n]+$/.test(plain)) text += plain;
    else refused.add(character);
  }
  return { text, refused: [...refused] };
}

/** A sentence on what was left out; empty when nothing was. */
export function refusalSentence(refused: readonly string[]): string {
  if (refused.length === 0) return '';
  const shown = refused.slice(0, 6).join(' ');
  const more = refused.length > 6 ? ` and ${refused.length - 6} more` : '';
  return `The device's keyboard cannot type ${shown}${more}: left out.`;
}

/** Texts longer than this are typed in parts, so that each is done well within its timeout. */
const PART_CHARACTERS = Math.min(2_000, LIMITS.textCharacters.max);

/** Types a text on the device. Resolves with a sentence for the person, empty when all was typed. */
export async function typeText(viewer: Viewer, pasted: string): Promise<string> {
  const { text, refused } = typable(pasted);
  for (let start = 0; start < text.length; start += PART_CHARACTERS) {
    const part = text.slice(start, start + PART_CHARACTERS);
    const timeoutMs = LIMITS.interactionTimeoutMs.max;
    const { ok, error } = await viewer.interact({ action: 'typeText', text: part, timeoutMs });
    if (!ok) return error?.message ?? 'The text could not be typed.';
  }
  return refusalSentence(refused);
}
