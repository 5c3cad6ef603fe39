import t from 'tap';
import { seeded } from '../../conformance/random.ts';
import { textsThatChange } from '../../support/ios/literal-calls.ts';
import { randomArguments } from '../android/guest/quoted-arguments.ts';

t.test('URLs, identifiers and texts reach simctl as they are, whatever is in them', async (t) => {
  const texts = [
    ...randomArguments(250, seeded(3)),
    '-h',
    '--set',
    '',
    '"',
    "'",
    '$(id)',
    '\n',
    '; id',
    'booted',
    '%00',
    'myapp://x/?ids[]=1|2^{é}"\'\\',
    `myapp:${'漢'.repeat(4_090)}`,
    `myapp:${"'".repeat(4_090)}`,
  ];
  t.same(await textsThatChange(texts, t.testdir()), []);
});
