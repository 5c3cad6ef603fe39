import type { Acknowledgement } from '@runcloud/protocol';
import t from 'tap';
import { AnswerCheck } from './support/answer-check.ts';

/** What judges the answers of clients finds each broken promise. */

const NONE = { lost: [], doubled: [], unequal: [], disordered: [] };
const answer = (requestId: string, status = 'completed') => ({ requestId, status }) as Acknowledgement;

t.test('answers that keep every promise', async (t) => {
  const check = new AnswerCheck();
  for (const id of ['a', 'b', 'b']) check.sent(id, true);
  t.equal(check.open, 2);
  t.equal(check.answered(answer('a')), true);
  t.equal(check.answered(answer('b')), true);
  t.equal(check.answered(answer('b')), false, 'the same id again');
  t.equal(check.open, 0);
  t.strictSame(check.faults(), NONE);
});

t.test('each broken one is told', async (t) => {
  const check = new AnswerCheck();
  for (const id of ['lost', 'late', 'early', 'twice', 'other', 'other'])
    check.sent(id, id === 'late' || id === 'early');
  for (const id of ['early', 'late', 'twice', 'twice', 'nobody', 'other']) check.answered(answer(id));
  check.answered(answer('other', 'failed'));
  t.strictSame(check.faults(), {
    lost: ['lost'],
    doubled: ['twice', 'nobody'],
    unequal: ['other'],
    disordered: ['late'],
  });
  t.equal(check.isOpen('lost'), true);
  t.equal(check.isOpen('late'), false);
});

t.test(
  'what is not remembered any more is doubled when it is answered again, and what is open is not forgotten',
  async (t) => {
    const check = new AnswerCheck(2);
    check.sent('open');
    for (const id of ['a', 'b', 'c']) {
      check.sent(id);
      check.answered(answer(id));
    }
    check.answered(answer('open'));
    t.strictSame(check.faults(), NONE);
    check.answered(answer('a'));
    t.strictSame(check.faults(), { ...NONE, doubled: ['a'] });
  },
);
