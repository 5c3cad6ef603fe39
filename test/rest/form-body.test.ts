import t from 'tap';
import { readForm } from '../../server/rest/form-body.ts';

const FORM = 'application/x-www-form-urlencoded';
const read = (text: string | Uint8Array, type: string | undefined = FORM) =>
  readForm({ header: (name) => (name === 'content-type' ? type : undefined) }, Buffer.from(text));

t.test('names and values are decoded, and what has no value counts as left out', async (t) => {
  t.strictSame(
    [...read('a=1&b=x+y%26&c=&d')],
    [
      ['a', '1'],
      ['b', 'x y&'],
    ],
  );
  t.equal(read('').size, 0);
  t.equal(read('a=1', `${FORM}; charset=utf-8`).get('a'), '1');
});

t.test('another media type, another encoding, a name twice or too many of them are invalid', async (t) => {
  for (const [text, type] of [
    ['a=1', 'application/json'],
    ['a=1', ''],
    ['a=1&a=2', FORM],
    ['a=&a=2', FORM],
    [Array.from({ length: 101 }, (_, index) => `n${index}=1`).join('&'), FORM],
  ] as const) {
    t.throws(() => read(text, type), { name: 'OAuthError', code: 'invalid_request' }, text.slice(0, 20));
  }
  t.throws(() => read(Uint8Array.of(0x61, 0x3d, 0xff)), { code: 'invalid_request' });
});
