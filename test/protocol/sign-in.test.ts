import t from 'tap';
import {
  checkAcceptInvitation,
  checkDecision,
  checkSetPassword,
  checkSignIn,
  isEmail,
  LIMITS,
} from '../../protocol/index.ts';

t.test('an e-mail address has a name, an @ and a host, and nothing that breaks a line', async (t) => {
  for (const good of ['a@b', 'ada@example.com', "o'neil+tag@sub.example.co.uk", 'ädä@example.com', 'x@192.0.2.1']) {
    t.ok(isEmail(good), good);
  }
  const bad = [
    '',
    'ada',
    '@b',
    'a@',
    'a@@b',
    'a b@c',
    'a@b c',
    'a@-b',
    'a@b-',
    'a\n@b',
    '<a@b>',
    'a@b>',
    `${'a'.repeat(65)}@b`,
  ];
  for (const text of [...bad, `a@${'b'.repeat(254)}`]) t.notOk(isEmail(text), text.slice(0, 80));
});

t.test('a chosen password has ten characters at least; one that is compared may be anything', async (t) => {
  const { min, max } = LIMITS.passwordCharacters;
  const accept = (password: unknown) => checkAcceptInvitation({ token: 'x', password }).ok;
  t.strictSame([accept('p'.repeat(min)), accept('p'.repeat(max))], [true, true]);
  t.strictSame(
    [accept('p'.repeat(min - 1)), accept('p'.repeat(max + 1)), accept(7), accept(undefined)],
    [false, false, false, false],
  );
  t.ok(checkSignIn({ email: 'a@b', password: '' }).ok);
  t.notOk(checkSignIn({ email: 'a@b', password: 'p'.repeat(max + 1) }).ok, 'what could never be chosen is not hashed');
  t.ok(checkSetPassword({ email: 'a@b', password: 'p'.repeat(min) }).ok);
  t.notOk(checkSetPassword({ email: 'a', password: 'p'.repeat(min) }).ok);
});

t.test('a decision is to approve or to deny', async (t) => {
  t.strictSame(
    ['approve', 'deny', 'maybe', '', true, undefined].map((decision) => checkDecision({ decision }).ok),
    [true, true, false, false, false, false],
  );
});
