import t from 'tap';
import { RecentRefusals } from '../../server/control/recent-refusals.ts';
import type { HttpHead } from '../../server/socket/http.ts';
import { ManualClock } from '../account/manual-clock.ts';

const FULL = { status: 429, body: 'The session is full.' };

const bearerOf = (head: HttpHead) => head.header('authorization');

function refuses(refusals: RecentRefusals, head: HttpHead): boolean {
  const reply = refusals.of(head);
  if (reply !== undefined && reply !== FULL) throw new Error('it is refused otherwise');
  return reply === FULL;
}

const caller = (parts: Partial<HttpHead> & { authorization?: string; origin?: string } = {}): HttpHead => ({
  method: 'GET',
  path: '/service/ios/ses_1/control',
  query: 'token=a',
  address: '192.0.2.1',
  network: '192.0.2.1',
  header: (name) => (name === 'authorization' || name === 'origin' ? parts[name] : undefined),
  onGone: () => undefined,
  ...parts,
});

t.test(
  'a caller that was refused because a session is full is refused for a second without a check, and nobody else is',
  async (t) => {
    const clock = new ManualClock();
    const refusals = new RecentRefusals(clock, bearerOf);
    t.equal(refuses(refusals, caller()), false);
    refusals.refused(caller(), FULL);
    t.equal(refuses(refusals, caller()), true);
    for (const other of [
      caller({ path: '/service/ios/ses_2/control' }),
      caller({ query: 'token=b' }),
      caller({ query: '' }),
      caller({ query: '', authorization: 'Bearer x' }),
    ]) {
      t.equal(refuses(refusals, other), false);
    }
    for (const same of [{ query: 'x=1&token=a' }, { authorization: 'Bearer x' }, { origin: 'https://x.example' }]) {
      t.equal(refuses(refusals, caller(same)), true, 'what can be varied at will makes no other caller');
    }
    clock.advance(999);
    t.equal(refuses(refusals, caller()), true);
    clock.advance(1);
    t.equal(refuses(refusals, caller()), false, 'then there may be room again');
  },
);

t.test('it remembers a thousand', async (t) => {
  const refusals = new RecentRefusals(new ManualClock(), bearerOf);
  for (let index = 0; index <= 1_000; index++) refusals.refused(caller({ query: `token=${index}` }), FULL);
  t.equal(refuses(refusals, caller({ query: 'token=0' })), false, 'the first is looked at anew');
  t.equal(refuses(refusals, caller({ query: 'token=1' })), true);
});

t.test('on a host, which is told no key, callers are told apart by who asks', async (t) => {
  const heads = [caller({ query: '' }), caller({ query: '' })] as const;
  const refusals = new RecentRefusals(new ManualClock(), (head) => (head === heads[0] ? 'key_1' : 'key_2'));
  refusals.refused(heads[0], FULL);
  t.equal(refuses(refusals, heads[0]), true);
  t.equal(refuses(refusals, heads[1]), false);
});
