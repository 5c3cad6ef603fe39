import fc from 'fast-check';
import t from 'tap';
import { LIMITS } from '../../protocol/terms.ts';
import { unicodeText } from '../../protocol/unicode-text.ts';

const WITH = await import('../../protocol/characters.ts');
const { isWellFormed } = String.prototype as { isWellFormed?: unknown };
Reflect.deleteProperty(String.prototype, 'isWellFormed');
/** As in a browser that lacks the method. */
const WITHOUT = (await import(new URL('../../protocol/characters.ts?without', import.meta.url).href)) as typeof WITH;
Object.defineProperty(String.prototype, 'isWellFormed', { value: isWellFormed, configurable: true, writable: true });

t.test('a text is told to be well-formed alike with and without the method of the language', async (t) => {
  t.equal(typeof isWellFormed, 'function', 'this Node.js has it');
  t.not(WITHOUT.isWellFormed, WITH.isWellFormed);
  const units = fc
    .array(fc.constantFrom('a', '\ud83d', '\ude00', '\ud800', '\udfff', '😀', '\u0000'))
    .map((all) => all.join(''));
  fc.assert(fc.property(units, (text) => WITH.isWellFormed(text) === WITHOUT.isWellFormed(text)));
  for (const { isWellFormed } of [WITH, WITHOUT]) {
    t.same(['', 'a😀\0', '\ud800', 'a\udc00', '\ude00\ud83d'].map(isWellFormed), [true, true, false, false, false]);
  }
});

t.test('a text is bounded in characters, however many units they take', async (t) => {
  const { faultOf } = unicodeText('text', LIMITS.textCharacters, 'words');
  const { max } = LIMITS.textCharacters;
  for (const character of ['a', 'é', '漢', '😀']) {
    t.equal(faultOf(character.repeat(max)), undefined);
    t.match(faultOf(character.repeat(max + 1)), { path: 'text', message: /^must be 1 to 10000 Unicode characters/ });
  }
  t.match(faultOf('\ud83d'), { path: 'text' });
});
