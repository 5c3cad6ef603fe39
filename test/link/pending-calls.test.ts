import t from 'tap';
import { PendingCalls } from '../../server/link/pending-calls.ts';
import { settled } from '../support/fake-clock.ts';

function open() {
  const failed: [string, string][] = [];
  const calls = new PendingCalls<string>((waiting, reason) => void failed.push([waiting, reason]));
  return { calls, failed };
}

t.test('each call has a number of its own, and is taken once', (t) => {
  const { calls, failed } = open();
  const [first, second] = [calls.begin('a'), calls.begin('b')];
  t.not(first, second);
  t.equal(calls.get(second), 'b');
  t.equal(calls.take(second), 'b');
  t.equal(calls.take(second), undefined);
  t.equal(calls.take(second + 1), undefined, 'nor is a number that was never given');
  t.strictSame([...calls.waiting], ['a']);
  t.equal(calls.size, 1);
  t.strictSame(failed, []);
  t.end();
});

t.test('the end fails what waits, in its order, and what was taken is told nothing', (t) => {
  const { calls, failed } = open();
  calls.begin('a');
  calls.take(calls.begin('b'));
  calls.begin('c');
  calls.end('exit code 3');
  calls.end('closed');
  t.strictSame(failed, [
    ['a', 'exit code 3'],
    ['c', 'exit code 3'],
  ]);
  t.equal(calls.endedReason, 'exit code 3', 'the first reason stands');
  t.equal(calls.size, 0);
  t.end();
});

t.test('a call after the end fails, too, but only after its caller has got its number', async (t) => {
  const { calls, failed } = open();
  calls.end('exit code 3');
  t.equal(typeof calls.begin('late'), 'number');
  t.strictSame(failed, []);
  await settled();
  t.strictSame(failed, [['late', 'exit code 3']]);
});

t.test('the calls that are concerned fail alone, and one that is told may ask again or take another', async (t) => {
  const failed: string[] = [];
  const calls = new PendingCalls<string>((waiting) => {
    failed.push(waiting);
    if (waiting === 'a1') calls.begin('a2');
    if (waiting === 'a1') calls.take(3);
  });
  for (const name of ['a1', 'b1', 'a-taken', 'a3']) calls.begin(name);
  calls.failThose((name) => name.startsWith('a'), 'gone');
  t.strictSame(failed, ['a1', 'a3']);
  t.strictSame([...calls.waiting], ['b1', 'a2']);
});
