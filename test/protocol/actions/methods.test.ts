import t from 'tap';
import { ACTIONS, type ActionName } from '../../../protocol/actions/index.ts';
import { type AnyMethod, METHODS } from '../../../protocol/actions/methods.ts';

/** Fields of every request, which are options of every method. */
const COMMON = ['action', 'requestId', 'timeoutMs', 'observe'];

/** The fields of the request that a method makes of its arguments and its own options. */
function fieldsOf({ call, options }: AnyMethod): ReadonlySet<string> {
  const args = Array.from({ length: call.length }, () => ({}));
  return new Set([...Object.keys(call(...args)), ...Object.keys(options?.({}) ?? {})]);
}

t.test('the method of every action makes each field that its request may have', async (t) => {
  for (const [name, { schema }] of Object.entries(ACTIONS)) {
    const made = fieldsOf(METHODS[name as ActionName]);
    const lacking = Object.keys(schema.properties).filter((field) => !COMMON.includes(field) && !made.has(field));
    t.same(lacking, [], name);
  }
});
