import { LIMITS } from '../protocol.ts';
import type { Viewer } from '../viewer.ts';

/** How much of a text reached the device. */
export interface Typed {
  /** The part that did not, to be kept for the person; empty if all was sent. */
  readonly left: string;
  /** Why something is left; empty if nothing is. */
  readonly reason: string;
}

/** A text without the characters that a US keyboard does not type. */
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

/** Leaves what `typeText` takes: printable ASCII, tabs and line feeds. */
export function typable(text: string): TypableText {
  const refused = new Set<string>();
  let kept = '';
  for (const character of text) {
    const plain = PLAIN[character] ?? character;
    if (isPlain(plain)) kept += plain;
    else refused.add(character);
  }
  return { text: kept, refused: [...refused] };
}

const isPlain = (text: string): boolean => /^[\x20-\x7e\t\n]*$/.test(text);

/** A sentence on what this device cannot be given of a text; empty when it takes everything. */
export const cannotType = (viewer: Viewer, text: string): string =>
  insertsText(viewer) ? '' : refusalSentence(typable(readable(text)).refused);

/** A sentence on characters that cannot be typed; empty when there are none. */
export function refusalSentence(refused: readonly string[]): string {
  if (refused.length === 0) return '';
  const shown = refused.slice(0, 6).join(' ');
  const more = refused.length > 6 ? ` and ${refused.length - 6} more` : '';
  return `This device cannot type ${shown}${more}.`;
}

const insertsText = (viewer: Viewer): boolean => viewer.ready?.capabilities.actions.includes('insertText') ?? false;

/** Line ends as the device has them, and no half of a surrogate pair, which stands for nothing. */
const readable = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/\p{Surrogate}/gu, '\ufffd');

/** Texts longer than this are sent in parts, so that each is done well within its timeout. */
const PART_CHARACTERS = Math.min(2_000, LIMITS.textCharacters.max);

/** The parts of a text, in characters and not in units of UTF-16. */
function* partsOf(text: string): Iterable<string> {
  const characters = [...text];
  for (let start = 0; start < characters.length; start += PART_CHARACTERS) {
    yield characters.slice(start, start + PART_CHARACTERS).join('');
  }
}

/**
 * Types a text on the device: key by key where a US keyboard has all of it, else inserted as it is. What cannot be sent is
 * given back, so that nothing vanishes.
 */
export async function typeText(viewer: Viewer, given: string): Promise<Typed> {
  const whole = readable(given);
  const action = isPlain(whole) || !insertsText(viewer) ? 'typeText' : 'insertText';
  const text = action === 'insertText' ? whole : typable(whole).text;
  let sentCharacters = 0;
  for (const part of partsOf(text)) {
    const { ok, error } = await viewer.act({ action, text: part, timeoutMs: LIMITS.interactionTimeoutMs.max });
    if (!ok) {
      const left = action === 'insertText' ? [...whole].slice(sentCharacters).join('') : text.slice(sentCharacters);
      return { left, reason: error?.message ?? 'The text could not be typed.' };
    }
    sentCharacters += [...part].length;
  }
  const reason = cannotType(viewer, whole);
  return reason === '' ? { left: '', reason } : { left: whole, reason: `${reason} The rest was typed.` };
}
