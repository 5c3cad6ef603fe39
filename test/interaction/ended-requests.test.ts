import type { InteractionRequest } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import fc from 'fast-check';
import t from 'tap';
import { EndedRequests } from '../../server/interaction/ended-requests.ts';
import type { Ending } from '../../server/interaction/ending.ts';
import { fingerprint } from '../../server/interaction/fingerprint.ts';
import { PerformSpec } from '../../server/interaction/perform-runner.ts';
import { Request, type Runner } from '../../server/interaction/request.ts';
import { KEY } from '../support/bearers.ts';
import { tap } from '../support/interaction-arena.ts';

const COMPLETED: Ending = { status: 'completed', result: { pointCount: 1 } };
const WORK: Runner = { start: () => undefined, stop: () => undefined };

function ended(request: InteractionRequest, monotonicMs = 0, wallMs = 1_700_000_000_123): Request {
  const spec = new PerformSpec(request, undefined as never);
  return new Request(
    spec,
    KEY,
    { wallMs, monotonicMs },
    WORK,
    () => undefined,
    () => undefined,
  );
}

t.test('a tap is found as it was, to the last bit of its place', (t) => {
  const requests = new EndedRequests();
  const x = 1 / 3;
  requests.add(ended(tap('one', x, 14_999), 1_000), COMPLETED, 7);
  const found = requests.find('one', 1_000);
  t.strictSame(found, {
    requestId: 'one',
    action: 'tap',
    fingerprint: { action: 'tap', x, y: 0.5, requestId: 'one', timeoutMs: 14_999 },
    accepted: { wallMs: 1_700_000_000_123 },
    ending: COMPLETED,
    durationMs: 7,
    lease: undefined,
  });
  t.equal(JSON.stringify(found?.fingerprint), JSON.stringify(tap('one', x, 14_999)), 'in the order of its fields');
  t.end();
});

t.test('other requests are found with their fingerprints, failures with what they name', (t) => {
  const requests = new EndedRequests();
  const typed = { action: 'typeText', text: 'a', requestId: 'typed', timeoutMs: 100 } as const;
  requests.add(ended(typed), COMPLETED, 1);
  t.equal(requests.find('typed', 0)?.fingerprint, fingerprint('typeText', typed));
  const lease = { device: 'dev_1', leaseId: 'lse_1' };
  const failed: Ending = { status: 'failed', error: { code: 'open_url_failed', message: 'No.', retryable: true } };
  const request = ended(tap('x'));
  Object.defineProperty(request.spec, 'lease', { value: lease });
  requests.add(request, failed, 1);
  t.match(requests.find('x', 0), { lease, ending: failed });
  t.end();
});

t.test('ids are told apart by every character and by their length', (t) => {
  const requests = new EndedRequests();
  const longest = 'a'.repeat(LIMITS.requestIdCharacters.max);
  const ids = ['a', 'aa', 'b', 'A', '.', '_', ':', '-', longest, `${longest.slice(1)}b`, `b${longest.slice(1)}`];
  for (const [index, id] of ids.entries()) requests.add(ended(tap(id)), COMPLETED, index);
  t.strictSame(
    ids.map((id) => requests.find(id, 0)?.durationMs),
    ids.map((_, index) => index),
  );
  for (const id of ['', 'aaa', 'c', longest.slice(1)]) t.equal(requests.find(id, 0), undefined);
  t.end();
});

t.test(
  'an id that is used again before the old request is forgotten means the newer one, for as long as that is kept',
  (t) => {
    const requests = new EndedRequests();
    requests.add(ended(tap('one')), COMPLETED, 1);
    requests.add(ended(tap('one')), COMPLETED, 2);
    t.equal(requests.find('one', 0)?.durationMs, 2);
    for (let index = 0; index < LIMITS.outcomesKept - 1; index++) requests.add(ended(tap(`r${index}`)), COMPLETED, 3);
    t.equal(requests.find('one', 0)?.durationMs, 2, 'the older one has made room');
    requests.add(ended(tap('last')), COMPLETED, 4);
    t.equal(requests.find('one', 0), undefined);
    t.end();
  },
);

t.test('requests that end in any order are found as in a plain list', (t) => {
  const step = fc.record({
    id: fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 100_000 })),
    afterMs: fc.oneof(fc.constant(0), fc.nat({ max: 30_000 })),
    many: fc.oneof(fc.constant(1), fc.nat({ max: 700 })),
  });
  let compared = 0;
  const property = fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const requests = new EndedRequests();
    let model: { id: string; endedMs: number; mark: number }[] = [];
    let nowMs = 0;
    let mark = 0;
    for (const { id, afterMs, many } of steps) {
      nowMs += afterMs;
      for (let index = 0; index < many; index++) {
        const name = `r${id + index}`;
        requests.add(ended(tap(name), nowMs - ++mark), COMPLETED, mark);
        model.push({ id: name, endedMs: nowMs, mark });
      }
      model = model.slice(-LIMITS.outcomesKept).filter(({ endedMs }) => endedMs >= nowMs - LIMITS.outcomeKeptMs);
      const newest = new Map(model.map((each) => [each.id, each.mark]));
      for (let name = 0; name < 60; name++) {
        const found = requests.find(`r${name}`, nowMs)?.durationMs;
        if (found !== newest.get(`r${name}`)) throw new Error(`r${name}: ${found}, not ${newest.get(`r${name}`)}`);
        compared++;
      }
    }
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 60, interruptAfterTimeLimit: 10_000 }));
  t.ok(compared > 1_000, `${compared} comparisons`);
  t.end();
});
