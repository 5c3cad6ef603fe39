import t from 'tap';
import { withoutNulls } from '../../server/store/row.ts';

t.test('empty columns are absent, and values that are merely falsy stay', async (t) => {
  const row = withoutNulls<{ a?: string; b: number; c: string }>({ a: null, b: 0, c: '' });
  t.strictSame(row, { b: 0, c: '' });
  t.notOk('a' in row);
});
