import { ROUTES, type RouteName } from '@runcloud/protocol';
import t from 'tap';
import { answerFault } from '../../server/rest/answer-check.ts';
import { Exchange, type ExchangeOptions } from '../../server/rest/exchange.ts';
import { json } from '../../server/rest/reply.ts';
import type { HttpHead, HttpReply } from '../../server/socket/http.ts';
import { ManualClock } from '../account/manual-clock.ts';
import { envelopeFault } from '../support/envelope.ts';

const faultOf = (name: RouteName, reply: HttpReply): string | undefined => answerFault(ROUTES[name], reply);
const bytes = (status: number, type: string | undefined, body: string): HttpReply => ({
  status,
  body,
  ...(type === undefined ? {} : { headers: { 'Content-Type': type } }),
});

t.test('an answer that is as declared has no fault, whatever it is made of', async (t) => {
  t.equal(faultOf('deleteAsset', json(200, { id: 'ast_1', deleted: true })), undefined);
  t.equal(faultOf('health', bytes(200, 'text/plain; charset=utf-8', 'ok')), undefined);
  t.equal(faultOf('viewerFile', bytes(200, 'text/css', '')), undefined);
  t.equal(faultOf('downloadRecording', bytes(302, undefined, '')), undefined);
  t.equal(faultOf('thumbnail', bytes(304, 'image/jpeg', '')), undefined);
  t.equal(faultOf('oauthToken', json(429, { error: 'slow_down', error_description: 'Wait.' })), undefined);
});

t.test('an answer with another status, type or body is told by what is wrong with it', async (t) => {
  const cases: readonly (readonly [RouteName, HttpReply, string | RegExp])[] = [
    ['deleteAsset', json(201, { id: 'ast_1', deleted: true }), 'the status 201 is not declared'],
    ['deleteAsset', json(200, { id: 'ast_1', deleted: false }), '"deleted" must be true.'],
    ['deleteAsset', json(200, { id: 'ast_1', deleted: true, more: 1 }), /^"more" is not a known field/],
    ['deleteAsset', bytes(200, 'text/html', ''), 'its Content-Type is text/html, not application/json'],
    ['screenshot', bytes(200, 'image/gif', ''), /^its Content-Type is image\/gif, not image\/png/],
    ['downloadRecording', bytes(302, undefined, 'x'), 'a body is not declared'],
    ['getSession', json(404, { error: 'gone' }), '"ok" is required and must be true or false.'],
  ];
  for (const [name, reply, fault] of cases) t.match(faultOf(name, reply), fault, `${name} ${reply.status}`);
});

t.test('where answers are checked, one that does not fit is a fault of the service', async (t) => {
  const faults: unknown[] = [];
  const answered: number[] = [];
  const clock = new ManualClock();
  const head = { method: 'DELETE', path: '/service/assets/ast_1', header: () => undefined } as unknown as HttpHead;
  const exchange = (checked: boolean) =>
    new Exchange(head, {
      clock,
      notFoundPage: { status: 404, body: 'a page' },
      answerFault: checked ? answerFault : undefined,
      onAnswered: (_route: string, status: number) => void answered.push(status),
      onFault: (error: unknown) => void faults.push(error),
    } as unknown as ExchangeOptions);
  const wrong = json(200, { id: 1, deleted: true });
  t.match(exchange(false).answer(wrong), wrong, 'nothing is looked at where they are not');
  const { status, body } = exchange(true).answer(wrong) as HttpReply;
  t.equal(envelopeFault('internal_error', status, String(body)), undefined);
  t.match(faults, [
    { message: 'DELETE /service/assets/ast_1 is answered otherwise than declared: "id" must be text.' },
  ]);
  t.strictSame(answered, [200, 500]);
});
