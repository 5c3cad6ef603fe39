import { randomBytes } from 'node:crypto';
import { ROUTES } from '@runcloud/protocol';
import t from 'tap';
import { Cursors } from '../../server/flow/cursors.ts';
import { FairScheduler } from '../../server/flow/fair-scheduler.ts';
import type { Page, Span } from '../../server/flow/page.ts';
import { Exchange, type ExchangeOptions } from '../../server/rest/exchange.ts';
import { answerList } from '../../server/rest/listing.ts';
import type { HttpHead, HttpReply } from '../../server/socket/http.ts';
import { ManualClock } from '../account/manual-clock.ts';

const cursors = new Cursors(randomBytes(32));

/** A list of `count` items, newest first, that notes how much of it is read at once. */
function itemsOf(count: number) {
  const reads: number[] = [];
  const read = ({ limit, after }: Span): Page<object> => {
    reads.push(limit);
    const first = after ? count - after.number + 1 : 0;
    const numbers = Array.from({ length: Math.min(limit, count - first) }, (_, index) => count - first - index);
    return {
      items: numbers.map((number) => ({ number })),
      positions: numbers.map((number) => ({ createdAtMs: 5, number })),
      more: first + limit < count,
    };
  };
  return { read, reads };
}

const asked = (limit: number, cursor?: string) => ({ query: cursor === undefined ? { limit } : { limit, cursor } });

function whole(pieces: Generator<void, HttpReply>): { numbers: number[]; next: string | undefined } {
  for (;;) {
    const { done, value } = pieces.next();
    if (!done) continue;
    const { items, next } = JSON.parse(String(value.body));
    return { numbers: items.map(({ number }: { number: number }) => number), next };
  }
}

t.test('a page that is made in pieces is the same page', async (t) => {
  for (const count of [0, 1, 9, 10, 11, 20, 130]) {
    for (const limit of [1, 9, 10, 11, 50, 200]) {
      const { read, reads } = itemsOf(count);
      const numbers: number[] = [];
      let next: string | undefined;
      do {
        const page = whole(answerList('items', ROUTES.listAssets, asked(limit, next), cursors, 'a', read));
        t.ok(page.numbers.length <= limit);
        if (page.next !== undefined) t.equal(page.numbers.length, limit, 'only the last page is shorter');
        numbers.push(...page.numbers);
        next = page.next;
      } while (next !== undefined);
      t.same(
        numbers,
        Array.from({ length: count }, (_, index) => count - index),
        `${count} items by ${limit}`,
      );
      t.ok(Math.max(...reads) <= 10, 'no piece is long');
    }
  }
});

t.test('a page that is full of bytes ends there, in the middle of a piece too, and the next one goes on', async (t) => {
  const { read } = itemsOf(130);
  const numbers: number[] = [];
  let next: string | undefined;
  do {
    const page = whole(answerList('items', ROUTES.listAssets, asked(200, next), cursors, 'a', read, 500));
    t.ok(page.numbers.length < 40 && page.numbers.length > 0);
    numbers.push(...page.numbers);
    next = page.next;
  } while (next !== undefined);
  t.same(
    numbers,
    Array.from({ length: 130 }, (_, index) => 130 - index),
  );
});

t.test('the loop is free between the pieces of one list, and others have their turn', async (t) => {
  let deferred: (() => void)[] = [];
  let nowMs = 0;
  const scheduler = new FairScheduler({
    nowMs: () => nowMs,
    defer: (task) => void deferred.push(task),
    rest: (_, task) => void deferred.push(task),
    bytesMax: 1_000,
    onFault: (error) => t.fail(String(error)),
  });
  const options = { clock: new ManualClock(), scheduler, onAnswered: () => undefined } as unknown as ExchangeOptions;
  const exchange = new Exchange(
    { method: 'GET', path: '/service/assets', header: () => '' } as unknown as HttpHead,
    options,
  );
  const made: string[] = [];
  function* pieces(): Generator<void, HttpReply> {
    for (let piece = 1; ; piece++) {
      made.push(`piece ${piece}`);
      // As long as a slice: nothing else fits in.
      nowMs += 1;
      if (piece === 4) return { status: 200, body: 'whole' };
      yield;
    }
  }
  const charged: number[] = [];
  const rateLimiter = { chargeWork: (ms: number) => void charged.push(ms) };
  const reply = exchange.makeInTurn(pieces(), { party: 'a', rateLimiter } as never);
  scheduler.add('b', 1, () => void made.push("another account's"));
  let rounds = 0;
  for (; deferred.length > 0; rounds++) {
    const tasks = deferred;
    deferred = [];
    for (const task of tasks) task();
  }
  t.same(made, ['piece 1', 'piece 2', "another account's", 'piece 3', 'piece 4']);
  t.ok(rounds >= 3, 'a piece a round of the loop');
  t.same(charged, [1, 1, 1, 1], 'the account pays for each of them');
  t.match(await reply, { status: 200, body: 'whole' });
});
