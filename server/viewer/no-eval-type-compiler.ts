import type { TSchema } from '@sinclair/typebox';
import { Check } from '@sinclair/typebox/value';

/**
 * Takes the place of `@sinclair/typebox/compiler` in what browsers load: the real one makes functions out of text, which
 * the page's Content-Security-Policy forbids. Slower, and right for a page's few messages.
 */
export const TypeCompiler = {
  Compile: (schema: TSchema) => ({ Check: (value: unknown) => Check(schema, value) }),
};
