import type { TSchema } from '@sinclair/typebox';
import { firstError } from '../../../protocol/first-error.ts';

/**
 * Takes the place of `@sinclair/typebox/compiler` in the package: the real one makes code out of
 * text, which a page's Content-Security-Policy forbids. Slower, and right for a page's few messages.
 */
export const TypeCompiler = {
  Compile: (schema: TSchema) => ({ Check: (value: unknown) => firstError(schema, value) === undefined }),
};
