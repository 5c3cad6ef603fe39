import { type Static, Type } from '@sinclair/typebox';

/** The `error` object of the envelope (specification, section 2.5). */
export const ErrorBody = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    retryable: Type.Boolean(),
    action: Type.Optional(Type.String({ description: 'What the caller can do next' })),
  },
  { $id: 'Error' },
);
export type ErrorBody = Static<typeof ErrorBody>;
