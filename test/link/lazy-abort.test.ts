import t from 'tap';
import { LazyAbort } from '../../server/link/lazy-abort.ts';

t.test('a signal that is read before the end fires at the end', async (t) => {
  const abort = new LazyAbort();
  const { signal } = abort;
  t.equal(signal.aborted, false);
  abort.abort();
  t.equal(signal.aborted, true);
  t.equal(abort.signal, signal);
});

t.test(
  'the listener of a task that has not begun is called once on abort, without a signal, and not after the task has begun',
  async (t) => {
    const abort = new LazyAbort();
    let told = 0;
    const listener = { onAbort: () => void told++ };
    abort.listener = listener;
    abort.abort();
    abort.abort();
    t.equal(told, 1);
    const begun = new LazyAbort();
    begun.listener = listener;
    begun.listener = undefined;
    begun.abort();
    t.equal(told, 1);
  },
);

t.test('a signal that is read after the end has fired', async (t) => {
  const abort = new LazyAbort();
  abort.abort();
  abort.abort();
  t.equal(abort.aborted, true);
  t.equal(abort.signal.aborted, true);
});
