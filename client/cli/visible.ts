/**
 * Characters that a terminal executes instead of showing (C0, DEL, C1), that change the direction of the text around them,
 * or that are invisible: line separators, formats, fillers, tags, variation selectors, and lone surrogates.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

const hex = (unit: number): string => unit.toString(16).padStart(4, '0');

/** A text in one line that shows all that is in it: what is not seen is written as `\u{1b}`. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** A value as JSON in one line, with what is not seen as `\u001b`: the same value to whoever reads the JSON. */
export const visibleJson = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replace(UNSEEN, (character) =>
    character
      .split('')
      .map((unit) => `\\u${hex(unit.charCodeAt(0))}`)
      .join(''),
  );
