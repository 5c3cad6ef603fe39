import { type Static, type TObject, Type } from '@sinclair/typebox';
import { compileCheck } from './compile-check.ts';
import type { Checked } from './fault.ts';
import { LIMITS, type Range } from './limits.ts';

/** Lists come in pages, newest first: `limit` and `cursor` ask for one, and `next` in its answer leads to the next. */

/** Goes on where an answer ended. It says nothing to clients, and is good for the list that it came from alone. */
export const Cursor = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,128}$',
  words: 'the "next" of an earlier answer of this very list',
  description: 'The "next" of the answer before; absent for the first page',
});

/** What a list's answer has beside its items. */
export const NEXT = {
  next: Type.Optional(Type.String({ description: 'The cursor of the next page; absent on the last one' })),
};

/** `limit` and `cursor`, of a list whose pages hold so many items. */
export const pageFields = ({ min, max, default: fallback }: Range) => ({
  limit: Type.Optional(
    Type.Integer({ minimum: min, maximum: max, default: fallback, description: 'Items of the answer, at most' }),
  ),
  cursor: Type.Optional(Cursor),
});

/** Query of a list that has no filters. */
export const ListQuery = Type.Object(pageFields(LIMITS.listed), { $id: 'ListQuery', additionalProperties: false });
export type ListQuery = Static<typeof ListQuery>;

/** A query as it is checked; a list's has a `limit`. */
type Checks<S extends TObject> = Static<S> &
  (S['properties'] extends { limit: unknown } ? { readonly limit: number } : unknown);

/** Checks a query as it came, all of it text, and fills in defaults of whole numbers. */
export function queryCheck<S extends TObject>(
  schema: S,
): (values: Readonly<Record<string, string>>) => Checked<Checks<S>> {
  const check = compileCheck(schema);
  const counts = Object.entries(schema.properties).filter(([, { type }]) => type === 'integer');
  return (values) => {
    const query: Record<string, unknown> = { ...values };
    for (const [name, { default: fallback }] of counts) {
      const text = values[name];
      // Any other spelling, such as 1e1, stays text, which the check refuses.
      if (text === undefined ? fallback !== undefined : /^[0-9]{1,6}$/.test(text))
        query[name] = Number(text ?? fallback);
    }
    const refused = check(query);
    return refused ? { ok: false, fault: refused } : { ok: true, value: query as Checks<S> };
  };
}

// A bundle that does not call it leaves it out.
export const checkListQuery = /* @__PURE__ */ queryCheck(ListQuery);
