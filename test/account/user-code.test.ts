import t from 'tap';
import { makeUserCode, readUserCode, shownUserCode } from '../../server/account/user-code.ts';

t.test('a code is eight consonants in two groups', async (t) => {
  const codes = new Set(Array.from({ length: 1_000 }, () => makeUserCode()));
  t.equal(codes.size, 1_000);
  for (const code of codes) t.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
});

t.test('case, spaces and hyphens do not matter when it is typed', async (t) => {
  for (const typed of ['WDJB-MJHT', 'wdjbmjht', ' wdjb mjht ', 'WDJB_MJHT', 'W.D.J.B.M.J.H.T']) {
    t.equal(readUserCode(typed), 'WDJBMJHT', typed);
  }
  t.equal(shownUserCode('WDJBMJHT'), 'WDJB-MJHT');
});

t.test('a text of the wrong form is not a user code', async (t) => {
  for (const typed of ['', 'WDJB-MJH', 'WDJB-MJHTT', 'WDJA-MJHT', 'WDJB-MJH1', 'ẞDJB-MJHT', 'W'.repeat(100_000)]) {
    t.equal(readUserCode(typed), undefined, typed.slice(0, 20));
  }
});
