import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '@runcloud/protocol/terms';
import t, { type Test } from 'tap';
import { completedWith, type Ending } from '../../server/interaction/ending.ts';
import { fingerprint, sameBody } from '../../server/interaction/fingerprint.ts';
import type { Journal } from '../../server/interaction/journal.ts';
import { UNKNOWN } from '../../server/interaction/past-requests.ts';
import { PerformSpec } from '../../server/interaction/perform-runner.ts';
import { Request, type Runner } from '../../server/interaction/request.ts';
import { ALIVE_EVERY_MS, BACK_WITHIN_MS, RequestLogs } from '../../server/session/request-logs.ts';
import { KEY } from '../support/bearers.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { tap } from '../support/interaction-arena.ts';
import { until } from '../support/until.ts';

const SESSION = 'ses_4kZ1bQx7RmT9vLs2WcHn0e';
const HEAD = { sessionId: SESSION, target: { driver: 'android-adb', id: 'serial' } } as const;
const RUNNER: Runner = { start: () => undefined, stop: () => undefined };
const TYPED = { action: 'typeText', requestId: 'secret', text: 'hunter2', timeoutMs: 15_000 } as const;

/** Numbers what it is told, and keeps nothing. */
function numbering(first = 1): Journal {
  let [entries, origins] = [first - 1, 0];
  return {
    origin: () => ++origins,
    accepted: () => ++entries,
    dispatched: () => undefined,
    step: () => undefined,
    touched: () => undefined,
    ended: () => undefined,
    observed: () => undefined,
  };
}

function arena(t: Test, { upMs = () => 1e9 }: { readonly upMs?: () => number } = {}) {
  const folder = t.testdir({});
  const clock = new FakeClock();
  const faults: unknown[] = [];
  const open = () => new RequestLogs({ folder, clock, upMs, onFault: (error) => void faults.push(error) });
  const accept = (journal: Journal, body: ConstructorParameters<typeof PerformSpec>[0]): number => {
    const spec = new PerformSpec(body, undefined as never);
    const accepted = { wallMs: clock.wallMs(), monotonicMs: clock.monotonicMs() };
    const request = new Request(
      spec,
      KEY,
      accepted,
      RUNNER,
      () => undefined,
      () => undefined,
    );
    return journal.accepted(request, 1);
  };
  return { folder, clock, faults, open, accept, names: () => readdirSync(folder).sort() };
}

const DONE = completedWith({ pointCount: 1 });
const FAILED: Ending = { status: 'failed', error: { code: 'interaction_failed', message: 'no', retryable: false } };

t.test('what was accepted and ended is read by the next process, and what had no end is unknown', async (t) => {
  const { open, accept, clock, folder } = arena(t);
  const journal = open()
    .begin({ ...HEAD, historyTexts: 'full' })
    ?.around(numbering()) as Journal;
  journal.origin({ kind: 'key', transport: 'rest', id: 'key_1' });
  journal.ended(accept(journal, tap('one')), DONE, 40);
  clock.turn(1_000);
  const open_ = accept(journal, tap('open'));
  journal.dispatched(open_, 7, 1);
  journal.ended(accept(journal, TYPED), FAILED, 500);
  clock.turn(3_000);

  const left = open().left().get(SESSION);
  t.ok(left?.isInTime);
  t.match(left?.content, { ...HEAD, historyTexts: 'full', nextSeq: 4, origins: [{ id: 'key_1' }] });
  const { ended, inputSeq } = left?.past.requests ?? { ended: [], inputSeq: 0 };
  t.match(ended, [
    { requestId: 'one', action: 'tap', ending: DONE, durationMs: 40, endedAgoMs: 3_960 },
    { requestId: 'secret', action: 'typeText', ending: FAILED, endedAgoMs: 2_500 },
    { requestId: 'open', action: 'tap', ending: UNKNOWN },
  ]);
  t.equal(ended[2]?.ending, UNKNOWN);
  t.ok(inputSeq >= 7, 'numbers of inputs are not given again');
  t.match(left?.past, { startedAgoMs: 4_000, idleMs: 2_500 });
  t.same(
    left?.past.history.endings.map(({ entry }) => entry),
    [1, 3],
    'the history gets the ends that it may not have',
  );
  const print = ended[1]?.fingerprint ?? '';
  t.ok(sameBody(print, fingerprint('typeText', { ...new PerformSpec(TYPED, undefined as never).body })));
  t.notOk(sameBody(print, fingerprint('typeText', { ...TYPED, text: 'hunter3' })));
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  t.notOk(
    files.some((text) => text.includes('hunter')),
    'no text is in the files',
  );
});

t.test('a line that was cut off is of a request that was not begun', async (t) => {
  const { open, accept, folder, names } = arena(t);
  const journal = open().begin(HEAD)?.around(numbering()) as Journal;
  journal.ended(accept(journal, tap('one')), DONE, 1);
  const [name = ''] = names();
  writeFileSync(join(folder, name), '{"accepted":{"entry":2,"request":{"requ', { flag: 'a' });
  const past = open().left().get(SESSION)?.past;
  t.match(past?.requests.ended, [{ requestId: 'one' }]);
  t.equal(past?.requests.ended.length, 1);
});

t.test(
  'a process that comes too late, or after the machine was started anew, finds nothing to go on with',
  async (t) => {
    for (const [what, awayMs, upMs, isInTime] of [
      ['in time', BACK_WITHIN_MS, 1e9, true],
      ['too late', BACK_WITHIN_MS + 1, 1e9, false],
      ['started anew', 20_000, 19_000, false],
      ['a clock that was set back', -BACK_WITHIN_MS - 1, 1e9, false],
    ] as const) {
      const { open, accept, clock } = arena(t, { upMs: () => upMs });
      const journal = open().begin(HEAD)?.around(numbering()) as Journal;
      journal.ended(accept(journal, tap('one')), DONE, 0);
      clock.turn(awayMs);
      t.equal(open().left().get(SESSION)?.isInTime, isInTime, what);
    }
  },
);

t.test('a process tells that it lives, and when its sessions were used', async (t) => {
  const { open, clock, folder, names } = arena(t);
  const logs = open();
  logs.begin(HEAD);
  logs.follow(SESSION, { idleMs: 500 });
  for (let beats = 1; beats <= 20; beats++) {
    const atMs = clock.wallMs() + ALIVE_EVERY_MS;
    await clock.advance(ALIVE_EVERY_MS);
    const told = () => names().includes('alive') && readFileSync(join(folder, 'alive'), 'utf8').includes(`${atMs}`);
    await until(told, 'a sign of life');
  }
  clock.turn(BACK_WITHIN_MS);
  const left = open().left().get(SESSION);
  t.match(left, { isInTime: true, past: { startedAgoMs: BACK_WITHIN_MS + 20 * ALIVE_EVERY_MS } });
  t.equal(left?.past.idleMs, BACK_WITHIN_MS + 500);
  logs.close();
});

t.test('a session that ends, and one that does not go on, leave nothing', async (t) => {
  const { open, names } = arena(t);
  const first = open();
  first.begin(HEAD);
  first.begin({ ...HEAD, sessionId: `${SESSION}2` });
  t.equal(names().length, 2);
  first.forget(SESSION);
  t.same(names(), [`${SESSION}2.1`]);
  const second = open();
  t.equal(second.left().size, 1);
  second.removeOthers();
  t.same(names(), []);
});

t.test('a process that goes on and is killed again leaves what both have done', async (t) => {
  const { open, accept } = arena(t);
  const first = open().begin(HEAD)?.around(numbering()) as Journal;
  first.origin({ kind: 'key', transport: 'rest', id: 'key_1' });
  first.ended(accept(first, tap('one')), DONE, 1);
  accept(first, tap('open'));
  const second = open();
  const { nextSeq = 0 } = second.left().get(SESSION)?.content ?? {};
  const journal = second.begin(HEAD)?.around(numbering(nextSeq)) as Journal;
  second.removeOthers();
  journal.ended(accept(journal, tap('two')), DONE, 1);
  const third = open().left().get(SESSION);
  t.match(third?.content, { nextSeq: 4, origins: [{ id: 'key_1' }] });
  t.same(third?.past.requests.ended.map(({ requestId, ending }) => [requestId, ending.status]).sort(), [
    ['one', 'completed'],
    ['open', 'failed'],
    ['two', 'completed'],
  ]);
});

t.test('as many requests as are remembered stay in the files, and no more than twice as many', async (t) => {
  const { open, accept, names } = arena(t);
  const journal = open().begin(HEAD)?.around(numbering()) as Journal;
  accept(journal, tap('long'));
  const count = LIMITS.outcomesKept * 3 + 5;
  for (let index = 0; index < count; index++) journal.ended(accept(journal, tap(`tap-${index}`)), DONE, 1);
  t.equal(names().length, 2);
  const ended = open().left().get(SESSION)?.past.requests.ended ?? [];
  t.ok(ended.length >= LIMITS.outcomesKept);
  t.ok(ended.length <= LIMITS.outcomesKept * 2 + 1, `${ended.length} are kept`);
  t.equal(ended.at(-1)?.requestId, 'long', 'what has no end is not forgotten');
  t.equal(ended.at(-2)?.requestId, `tap-${count - 1}`);
});

t.test('a log that cannot be written is removed, and told', async (t) => {
  const { open, accept, folder, faults, names } = arena(t);
  const logs = open();
  const log = logs.begin(HEAD);
  const journal = log?.around(numbering()) as Journal;
  t.equal(names().length, 1);
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  journal.ended(accept(journal, tap('one')), { status: 'completed', result: cyclic }, 1);
  t.same(names(), [], 'what is not noted would be done twice');
  t.equal(faults.length, 1);
  t.ok(accept(journal, tap('two')) > 0, 'the session goes on');
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const blocked = new RequestLogs({
    folder: file,
    clock: new FakeClock(),
    onFault: (error) => void faults.push(error),
  });
  t.equal(blocked.begin(HEAD), undefined, 'its folder is a file');
  t.equal(faults.length, 2);
});

t.test('what cannot be read keeps no process from its start', async (t) => {
  const { open, faults, folder, names } = arena(t);
  mkdirSync(join(folder, `${SESSION}.1`));
  writeFileSync(join(folder, `${SESSION.replace('4kZ', 'AAA')}.1`), '\0\0\n{"not": "a log"}\n');
  writeFileSync(join(folder, 'alive'), 'null');
  const logs = open();
  t.equal(logs.left().size, 0);
  t.match(faults, [/EISDIR/]);
  logs.removeOthers();
  t.strictSame(names(), ['alive']);
});
