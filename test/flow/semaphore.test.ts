import t from 'tap';
import { Semaphore } from '../../server/flow/semaphore.ts';
import { settled } from '../support/fake-clock.ts';
import { deferred } from '../support/scripted-device.ts';

t.test('so many works run at a time, the others in their order, and one that fails makes room as well', async (t) => {
  const semaphore = new Semaphore(2);
  const begun: number[] = [];
  const works = [0, 1, 2, 3].map(() => deferred<string>());
  const runs = works.map(({ promise }, index) =>
    semaphore.run(() => {
      begun.push(index);
      return promise;
    }),
  );
  await settled();
  t.strictSame(begun, [0, 1]);
  works[1]?.reject(new Error('broken'));
  await t.rejects(runs[1] as Promise<string>, { message: 'broken' });
  await settled();
  t.strictSame(begun, [0, 1, 2]);
  for (const { resolve } of works) resolve('done');
  t.strictSame(await Promise.all([runs[0], runs[2], runs[3]]), ['done', 'done', 'done']);
  t.strictSame(begun, [0, 1, 2, 3]);
  t.equal(await semaphore.run(async () => 'after'), 'after');
});
