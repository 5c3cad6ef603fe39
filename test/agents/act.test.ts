import t from 'tap';
import { RunCloudError } from '../../client/sdk/error.ts';
import type { SessionHandle } from '../../client/sdk/session.ts';
import { requestOf } from '../../server/agents/steps.ts';
import { act } from '../../server/agents/tools/act.ts';
import { wordsOf } from '../support/agent-client.ts';

const BUSY = new RunCloudError({
  operation: 'ui',
  error: { code: 'rate_limited', message: 'Too often.', retryable: true },
  retryAfterMs: 1_000,
});

t.test('steps that are done are told as done, even where the screen cannot be read afterwards', async (t) => {
  const asked: object[] = [];
  const phone = {
    interact: async (request: object) => void asked.push(request),
    waitFor: async () => ({ holds: true, idle: 'settled' }),
    outline: async () => {
      throw BUSY;
    },
  };
  const answer = await act.run({
    given: { steps: [{ do: 'tap', x: 0.5, y: 0.5 }] } as never,
    ground: undefined as never,
    signal: new AbortController().signal,
    session: async () => phone as unknown as SessionHandle,
  });
  t.same(asked, [{ action: 'tap', x: 0.5, y: 0.5 }]);
  t.match(wordsOf(answer), /^done 1 of 1\nThe screen could not be read: rate_limited: Too often\. Try again in 1 s\.$/);
  t.notOk(answer.isError);
});

t.test(
  'a scroll to an element looks for it, in a direction where one is given; one at a ref scrolls there',
  async (t) => {
    const place = { target: { ref: '@2', frame: 1 }, at: { x: 0.5, y: 0.7 } };
    t.same(requestOf({ do: 'scroll', text: 'Imprint' }, undefined), {
      action: 'scrollTo',
      target: { text: 'Imprint' },
    });
    t.same(requestOf({ do: 'scroll', role: 'cell', value: 'up' }, undefined), {
      action: 'scrollTo',
      target: { role: 'cell' },
      direction: 'up',
    });
    t.match(requestOf({ do: 'scroll', ref: '@2' }, place), { action: 'scroll', deltaX: 0, x: 0.5, y: 0.7 });
    t.throws(() => requestOf({ do: 'scroll', text: 'Imprint', value: 'aside' }, undefined), { message: /down, up/ });
  },
);
