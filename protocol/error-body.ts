import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import { text } from './fields.ts';

const Code = Type.Unsafe<ErrorCode>(
  oneOf(Object.keys(ERRORS), {
    $id: 'ErrorCode',
    description: 'What went wrong. A later version may add codes: treat one that you do not know by `retryable`.',
    examples: ['active_session_not_found'],
  }),
);

/** The `error` object of the envelope. */
export const ErrorBody = Type.Object(
  {
    code: Code,
    message: text(
      'One sentence for people; it names the field that is wrong',
      'There is no active session with this id.',
    ),
    retryable: Type.Boolean({ description: 'Whether the same request, unchanged, may succeed later' }),
    action: Type.Optional(text('What you can do next', 'Create a new session.')),
  },
  { $id: 'Error', description: 'Why a request failed' },
);
export type ErrorBody = Static<typeof ErrorBody>;
