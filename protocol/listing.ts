import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import { type Checked, compileCheck } from './fault.ts';
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

type Query<Fields extends TProperties> = TObject<Fields & ReturnType<typeof pageFields>>;

/** Checks a list's query as it came, all of it text; what it gives has `limit` in it. */
export function queryCheck<Fields extends TProperties>(
  schema: Query<Fields>,
): (values: Readonly<Record<string, string>>) => Checked<Static<Query<Fields>> & { readonly limit: number }> {
  const check = compileCheck(schema);
  const fallback: number = schema.properties.limit.default;
  return ({ limit, ...rest }) => {
    // Any other spelling, such as 1e1, stays text, which the check refuses.
    const count = limit === undefined ? fallback : /^[0-9]{1,6}$/.test(limit) ? Number(limit) : limit;
    const query = { ...rest, limit: count };
    const refused = check(query);
    return refused
      ? { ok: false, fault: refused }
      : { ok: true, value: query as unknown as Static<Query<Fields>> & { readonly limit: number } };
  };
}

export const checkListQuery = queryCheck(ListQuery);
