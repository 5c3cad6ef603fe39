import t from 'tap';
import { Outbox } from '../../server/link/outbox.ts';
import { settled } from '../support/fake-clock.ts';

function open() {
  const sent: { batch: readonly number[]; transfer: readonly ArrayBuffer[] }[] = [];
  const outbox = new Outbox<number>({ send: (batch, transfer) => void sent.push({ batch, transfer }) });
  return { sent, outbox };
}

t.test('the messages of one iteration of the event loop go in one batch, in order', async (t) => {
  const { sent, outbox } = open();
  for (let number = 0; number < 1_000; number++) outbox.push(number);
  t.equal(sent.length, 0);
  await settled();
  t.equal(sent.length, 1);
  t.strictSame(
    sent[0]?.batch,
    Array.from({ length: 1_000 }, (_, index) => index),
  );
});

t.test('messages that promises of the iteration send go in the same batch', async (t) => {
  const { sent, outbox } = open();
  const answer = async (number: number) => {
    for (let step = 0; step < number; step++) await undefined;
    outbox.push(number);
  };
  // As after a batch came in: a first job begins in a promise, and each of the others when the one before is done.
  await Promise.resolve();
  void (async () => {
    for (let number = 1; number <= 20; number++) await answer(number);
  })();
  await settled();
  t.strictSame(
    sent.map(({ batch }) => batch),
    [Array.from({ length: 20 }, (_, index) => index + 1)],
  );
});

t.test('each turn has a batch of its own, with the buffers of that batch', async (t) => {
  const { sent, outbox } = open();
  const buffer = new ArrayBuffer(8);
  outbox.push(1, buffer);
  await settled();
  outbox.push(2);
  await settled();
  t.strictSame(
    sent.map(({ batch }) => batch),
    [[1], [2]],
  );
  t.equal(sent[0]?.transfer[0], buffer);
  t.strictSame(sent[1]?.transfer, []);
});

t.test('a message that comes while a batch is on its way out waits for the next', async (t) => {
  const sent: (readonly number[])[] = [];
  const outbox: Outbox<number> = new Outbox<number>({
    send: (batch) => {
      sent.push(batch);
      if (batch[0] === 1) outbox.push(2);
    },
  });
  outbox.push(1);
  await settled();
  t.strictSame(sent, [[1], [2]]);
});
