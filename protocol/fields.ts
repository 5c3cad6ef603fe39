import { Type } from '@sinclair/typebox';
import type { IdPrefix } from './ids.ts';

/** Kinds of fields of the service's answers, each with what the reference says of it and an example. */

export const text = (description: string, example: string) => Type.String({ description, examples: [example] });

export const whole = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

export const id = (prefix: IdPrefix, description: string) => text(description, `${prefix}_4kZ1bQx7RmT9vLs2WcHn0e`);

/** ISO 8601, UTC, milliseconds. */
export const timestamp = (description: string) =>
  Type.String({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{3}Z$',
    description,
    examples: ['2026-05-17T09:41:07.123Z'],
  });
