import t from 'tap';
import { cleanName } from '../../server/packages/names.ts';

t.test('a name is one line of text that can be seen', async (t) => {
  t.equal(cleanName('  Plain \n name\t'), 'Plain name');
  t.equal(cleanName('Grüße 日本 🎉'), 'Grüße 日本 🎉');
  t.equal(cleanName('gpj.\u202Efdp\u0000\u200B'), 'gpj. fdp');
  t.equal(cleanName('\ud800lone'), 'lone');
});

t.test('a text of invisible characters is no name', async (t) => {
  for (const text of ['', ' ', '\u200b\u200d', '\n\t\u2028']) t.equal(cleanName(text), undefined);
});

t.test('a long name is cut between characters', async (t) => {
  t.equal(cleanName('a'.repeat(200)), 'a'.repeat(200));
  t.equal(cleanName('🎉'.repeat(300)), '🎉'.repeat(200));
});
