const NAME_CHARACTERS_MAX = 200;

/** A text for people, on one line and of a length that can be shown; `undefined` when nothing is left of it. */
export function cleanName(text: string): string | undefined {
  // Direction marks go too: they could make one name look like another.
  const clean = text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return clean === '' ? undefined : [...clean].slice(0, NAME_CHARACTERS_MAX).join('');
}
