import { type Static, Type } from '@sinclair/typebox';
import { compileCheck } from './compile-check.ts';
import type { Checked } from './fault.ts';
import { LIMITS } from './limits.ts';
import { unicodeText } from './unicode-text.ts';

const written = unicodeText('text', LIMITS.clipboardCharacters, 'an empty text empties the clipboard');

/** The text that a client writes to the clipboard, as a field. */
export const WrittenText = written.schema;
/** Why a text that fits the schema is refused. */
export const writtenTextFault = written.faultOf;

/** The body of `PUT .../clipboard`. */
export const WriteClipboard = Type.Object(
  { text: WrittenText },
  { $id: 'WriteClipboard', additionalProperties: false },
);
export type WriteClipboard = Static<typeof WriteClipboard>;

const check = compileCheck(WriteClipboard);

export function checkWriteClipboard(value: unknown): Checked<WriteClipboard> {
  const refused = check(value);
  return refused ? { ok: false, fault: refused } : { ok: true, value: value as WriteClipboard };
}

/** The text that a device's clipboard holds. */
export const ClipboardText = Type.Object(
  {
    text: Type.String({
      description: `What the clipboard holds: the first ${LIMITS.clipboardCharacters.max} characters of its text, empty if it has none`,
      examples: ['Grüße 你好 😀'],
    }),
    truncated: Type.Optional(Type.Literal(true, { description: 'Present if the text goes on' })),
  },
  { $id: 'ClipboardText', additionalProperties: false },
);
export type ClipboardText = Static<typeof ClipboardText>;
