import { Type } from '@sinclair/typebox';
import t from 'tap';
import { compileCheck, oneOf } from '../../protocol/compile-check.ts';
import { faultSentence } from '../../protocol/fault.ts';

const check = compileCheck(
  Type.Object(
    {
      list: Type.Optional(Type.Array(Type.Object({ n: Type.Integer() }, { additionalProperties: false }))),
      kind: Type.Optional(oneOf(['a', 'b'])),
      one: Type.Optional(Type.Literal(1)),
      short: Type.Optional(Type.String({ maxLength: 2 })),
      long: Type.Optional(Type.String({ minLength: 2 })),
      map: Type.Optional(
        Type.Record(Type.String({ pattern: '^[a-z]$' }), Type.Number(), { additionalProperties: false }),
      ),
    },
    { additionalProperties: false },
  ),
);

const sentenceOf = (value: unknown): string => {
  const fault = check(value);
  return fault ? faultSentence(fault) : '';
};

t.test('a valid value has no fault', async (t) => {
  t.equal(check({}), undefined);
  t.equal(check({ list: [{ n: 1 }], kind: 'a', one: 1, short: 'ab', long: 'ab', map: { a: 1 } }), undefined);
});

t.test('a sentence names the field by its path and says what is allowed', async (t) => {
  const sentences: readonly (readonly [unknown, string])[] = [
    [1, 'The request must be an object; the fields are list, kind, one, short, long, map.'],
    [{ list: 1 }, '"list" must be a list.'],
    [{ list: [{ n: 1 }, { n: 1.5 }] }, '"list[1].n" must be a whole number.'],
    [{ list: [{}] }, '"list[0].n" is required and must be a whole number.'],
    [{ list: [1] }, '"list[0]" must be an object; the fields are n.'],
    [{ kind: 'c' }, '"kind" must be one of a, b.'],
    [{ one: 2 }, '"one" must be 1.'],
    [{ short: 'abc' }, '"short" must be text of at most 2 characters.'],
    [{ long: 'a' }, '"long" must be text of at least 2 characters.'],
    [{ map: { ab: 1 } }, '"map.ab" has a name that is not allowed.'],
    [{ list: [{ n: 1, m: 1 }] }, '"list[0].m" is not a known field; the fields are n.'],
    [{ list: [{ m: 1 }] }, '"list[0].m" is not a known field; the fields are n.'],
  ];
  for (const [value, sentence] of sentences) t.equal(sentenceOf(value), sentence);
});

t.test('a field name that is a number, empty or odd is shown as what it is', async (t) => {
  t.match(sentenceOf({ 0: 1 }), /^"0" is not a known field/);
  t.match(sentenceOf({ '': 1 }), /^"\(empty name\)" is not a known field/);
  t.match(sentenceOf({ 'a/b~c': 1 }), /^"a\/b~c" is not a known field/);
});

t.test('a field name is shortened and stripped of what could break a log line', async (t) => {
  t.match(sentenceOf({ 'a\r\n\u2028b': 1 }), /^"a\?\?\?b" is not a known field/);
  t.match(sentenceOf({ ['x'.repeat(1_000)]: 1 }), /^"x{64}\.\.\." is not a known field/);
});
