import { type Static, type TObject, Type } from '@sinclair/typebox';
import { compileCheck } from './compile-check.ts';
import type { Checked } from './fault.ts';
import { text } from './fields.ts';
import { LIMITS, type Range } from './limits.ts';

/** Lists are paginated, newest first: `limit` and `cursor` select a page, and `next` in its answer is the next cursor. */

/** Continues where an answer ended. A cursor is opaque to clients and valid only for the list that it came from. */
export const Cursor = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,2048}$',
  words: 'the "next" of an earlier answer of this very list',
  description: '`next` of the previous answer; absent for the first page',
  examples: ['eyJhZnRlciI6MTIwNH0'],
});

/** The field of a list's answer beside its items. */
export const NEXT = {
  next: Type.Optional(text('Cursor of the next page; absent on the last page', 'eyJhZnRlciI6MTIwNH0')),
};

/** `limit` and `cursor` of a list; the range bounds the items of a page. */
export const pageFields = ({ min, max, default: fallback }: Range) => ({
  limit: Type.Optional(
    Type.Integer({
      minimum: min,
      maximum: max,
      default: fallback,
      description: 'Maximum number of items in the answer',
    }),
  ),
  cursor: Type.Optional(Cursor),
});

/** Query of a list that has no filters. */
export const ListQuery = Type.Object(pageFields(LIMITS.listed), { $id: 'ListQuery', additionalProperties: false });
export type ListQuery = Static<typeof ListQuery>;

/** A checked query: the default of `limit` is filled in. */
type Checks<S extends TObject> = Static<S> &
  (S['properties'] extends { limit: unknown } ? { readonly limit: number } : unknown);

/** Checks a query, whose values are all text, reads integers and booleans, and fills in the defaults of integers. */
export function queryCheck<S extends TObject>(
  schema: S,
): (values: Readonly<Record<string, string>>) => Checked<Checks<S>> {
  const check = compileCheck(schema);
  const counts = Object.entries(schema.properties).filter(([, { type }]) => type === 'integer');
  const flags = Object.entries(schema.properties).filter(([, { type }]) => type === 'boolean');
  return (values) => {
    const query: Record<string, unknown> = { ...values };
    for (const [name] of flags) {
      // Any other text stays text, which the check refuses.
      if (values[name] === 'true' || values[name] === 'false') query[name] = values[name] === 'true';
    }
    for (const [name, { default: fallback }] of counts) {
      const text = values[name];
      // Any other spelling, such as 1e1, stays text, which the check refuses.
      if (text === undefined ? fallback !== undefined : /^[0-9]{1,16}$/.test(text))
        query[name] = Number(text ?? fallback);
    }
    const refused = check(query);
    return refused ? { ok: false, fault: refused } : { ok: true, value: query as Checks<S> };
  };
}

// PURE lets a bundler drop the check where it is not used.
export const checkListQuery = /* @__PURE__ */ queryCheck(ListQuery);
