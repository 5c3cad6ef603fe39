import type { TSchema } from '@sinclair/typebox';
import { Errors, type ValueErrorIterator } from '@sinclair/typebox/errors';
import { Check } from '@sinclair/typebox/value';

/**
 * Takes the place of `@sinclair/typebox/compiler` in what browsers load: the real one makes functions out of text, which
 * the page's Content-Security-Policy forbids. Slower, and right for a page's few messages.
 */
interface Checker {
  Check(value: unknown): boolean;
  Errors(value: unknown): ValueErrorIterator;
}

export const TypeCompiler = {
  Compile: (schema: TSchema): Checker => ({
    Check: (value) => Check(schema, value),
    Errors: (value) => Errors(schema, value),
  }),
};
