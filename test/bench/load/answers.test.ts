import t from 'tap';
import { AnswerReader } from '../../../bench/load/answer-kind.ts';
import { readHttpAnswer } from '../../../bench/load/http-answer.ts';
import { usualAnswers } from '../../../bench/scenarios/tap/messages.ts';
import { encodeServerMessage } from '../../../protocol/index.ts';

const completed = Buffer.from(usualAnswers('tap-0001-').message);

t.test('a result is told from the progress before it', async (t) => {
  const reader = new AnswerReader();
  const accepted = encodeServerMessage({
    type: 'accepted',
    requestId: 'a',
    acceptedAt: '2025-01-01T00:00:00.000Z',
    queued: 0,
  });
  const dispatched = encodeServerMessage({ type: 'dispatched', requestId: 'a', inputSeq: 1 });
  for (const _ of [1, 2]) {
    t.equal(reader.read(Buffer.from(accepted)), 'progress');
    t.equal(reader.read(Buffer.from(dispatched)), 'progress');
    t.equal(reader.read(completed), 'completed');
  }
});

t.test('a failed result is never counted, also after good ones', async (t) => {
  const reader = new AnswerReader();
  reader.read(completed);
  const failed = Buffer.from(completed);
  failed[failed.indexOf('\xa2ok', 0, 'latin1') + 3] = 0xc2;
  t.throws(() => reader.read(failed), /refused/);
});

t.test('an HTTP answer is found once all of it is there', async (t) => {
  const answer = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{"a"}HTTP/1.1');
  t.same(readHttpAnswer(answer), { length: answer.length - 8, status: 200 });
  t.equal(readHttpAnswer(answer.subarray(0, 30)), undefined);
  t.equal(readHttpAnswer(answer.subarray(0, answer.length - 9)), undefined);
});

t.test('the status of a refused HTTP request is seen', async (t) => {
  t.match(readHttpAnswer(Buffer.from('HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n')), { status: 429 });
});
