import { Type } from '@sinclair/typebox';
import { characterCount, isWellFormed } from './characters.ts';
import { type Fault, fault } from './fault.ts';
import type { Range } from './limits.ts';

/**
 * A field of text in any language: its schema, and `faultOf`, which checks what the schema cannot express.
 * @param path of the field, for the refusal
 * @param range in code points
 */
export function unicodeText(path: string, { min, max }: Range, description: string) {
  const words = `${min} to ${max} Unicode characters, without lone surrogates`;
  return {
    schema: Type.String({
      minLength: min,
      // Counted in UTF-16 units, of which a character takes two at most, by those who check schemas here, and in characters by others.
      maxLength: 2 * max,
      words,
      description: `${words}; ${description}`,
      examples: ['Grüße 你好 😀'],
    }),
    faultOf(text: string): Fault | undefined {
      // A text has no more characters than units.
      const fits = text.length <= max || characterCount(text) <= max;
      return fits && isWellFormed(text) ? undefined : fault(path, `must be ${words}`);
    },
  };
}
