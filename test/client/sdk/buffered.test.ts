import t from 'tap';
import { Buffered } from '../../../client/sdk/control/buffered.ts';

const collect = async <T>(values: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
};

t.test('values are handed on in their order, whether they or their consumer came first', async (t) => {
  const values = new Buffered<number>(10, () => undefined);
  values.push(1);
  values.push(2);
  const waiting = [values.next(), values.next(), values.next(), values.next()];
  values.push(3);
  values.end();
  values.push(4);
  t.same(await Promise.all(waiting), [
    { done: false, value: 1 },
    { done: false, value: 2 },
    { done: false, value: 3 },
    { done: true, value: undefined },
  ]);
});

t.test('buffered items can be read after the end, and an error comes once, after them', async (t) => {
  const error = new Error('the reason');
  let released = 0;
  const values = new Buffered<number>(10, () => released++);
  values.push(1);
  values.end({ error });
  values.end();
  t.same(await values.next(), { done: false, value: 1 });
  t.equal(await values.next().catch((caught: unknown) => caught), error);
  t.same(await values.next(), { done: true, value: undefined });
  t.equal(released, 1);
});

t.test('a consumer that stops releases the source', async (t) => {
  let released = 0;
  const values = new Buffered<number>(10, () => released++);
  values.push(1);
  values.push(2);
  for await (const value of values) if (value === 1) break;
  t.equal(released, 1);
  t.same(await collect(values), [], 'and there is nothing more');
});

t.test('a consumer that does not read fails instead of growing', async (t) => {
  const values = new Buffered<number>(2, () => undefined);
  for (const value of [1, 2, 3, 4]) values.push(value);
  t.equal(values.ended, true);
  t.equal((await values.next()).value, 1);
  t.equal((await values.next()).value, 2);
  await t.rejects(values.next(), /More than 2 values/);
});
