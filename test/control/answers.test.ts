import { LIMITS, ServiceError } from '@runcloud/protocol';
import t from 'tap';
import type { AnswerOptions, Result } from '../../server/control/answer.ts';
import { Answers } from '../../server/control/answers.ts';
import { KEY } from '../support/bearers.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';

/** As large as the limit of what may be unsent. */
const PICTURE = new Uint8Array(LIMITS.unsentBytes);

/** Answers on a socket that keeps what it is sent until it is read. */
function open(take: () => Promise<object> = async () => ({ png: PICTURE, width: 1, height: 1, inputSeq: 0 })) {
  let unsentBytes = 0;
  const sent: Result[] = [];
  const session = { facts: { id: 'ses_1', platform: 'ios' }, screenshots: { take } };
  const services = {
    recordings: { list: () => ({ items: [], positions: [], more: false }) },
    cursors: { open: () => undefined },
  };
  let queued = 0;
  const onFault = (error: unknown) => t.fail(`${error}`);
  const owner = {
    get unsentBytes() {
      return unsentBytes;
    },
    send: (result: Result) => {
      sent.push(result);
      queued += result.result?.image === PICTURE ? PICTURE.byteLength : 100;
    },
    answered: () => undefined,
  };
  const flush = () => {
    unsentBytes += queued;
    queued = 0;
  };
  const options = { session, services, clock: new FakeClock(), onFault } as unknown as AnswerOptions;
  const answers = new Answers(options, owner, { flush });
  const ask = (requestId: string) => answers.answer({ type: 'screenshot', requestId }, KEY);
  const read = (bytes = unsentBytes) => {
    unsentBytes -= bytes;
    answers.drained();
  };
  return { answers, ask, read, sent, ids: () => sent.map(({ requestId }) => requestId) };
}

t.test('of many screenshots at once each leaves when most of the one before it is read', async (t) => {
  const { answers, ask, read, ids } = open();
  for (const id of ['a', 'b', 'c']) ask(id);
  t.same([...answers.open], ['a', 'b', 'c']);
  await settled();
  t.same(ids(), ['a']);
  t.same([...answers.open], ['b', 'c'], 'what waits has no answer yet');
  t.equal(answers.otherUnsentBytes, 0, 'the picture is no sign of a client that does not read');
  read(PICTURE.byteLength / 2);
  t.same(ids(), ['a'], 'half of it is too little');
  read(PICTURE.byteLength / 2 - 1_000);
  t.same(ids(), ['a', 'b']);
  t.equal(answers.otherUnsentBytes, 1_000, 'what is left of the first one counts');
  read();
  t.same(ids(), ['a', 'b', 'c']);
  read();
  t.equal(answers.otherUnsentBytes, 0);
  t.same([...answers.open], []);
});

t.test('other answers do not wait behind screenshots', async (t) => {
  const { answers, ask, ids } = open();
  ask('a');
  ask('b');
  await settled();
  answers.answer({ type: 'recording.list', requestId: 'list' }, KEY);
  await settled();
  t.same(ids(), ['a', 'list']);
});

t.test('a client that reads none of its screenshots is refused more of them, and has the others', async (t) => {
  const { ask, read, ids } = open();
  const many = LIMITS.pendingScreenshots + 1;
  for (let index = 0; index < many; index++) ask(`s${index}`);
  await settled();
  t.throws(
    () => ask('more'),
    new ServiceError('rate_limited', 'This socket has many screenshots that the client has not read.', {
      retryAfterSeconds: 1,
    }),
  );
  read();
  ask('again');
  await settled();
  for (let index = 0; index < many; index++) read();
  t.same(ids(), [...Array.from({ length: many }, (_, index) => `s${index}`), 'again']);
});

t.test('what waits is sent before the socket is closed', async (t) => {
  const { answers, ask, ids } = open();
  for (const id of ['a', 'b', 'c']) ask(id);
  await settled();
  answers.sendAll();
  t.same(ids(), ['a', 'b', 'c']);
});
