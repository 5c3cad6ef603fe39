import t from 'tap';
import { commandLine, quoteArgument } from '../../../../server/drivers/android/guest/quote.ts';
import { seeded } from '../../../conformance/random.ts';
import { randomArguments, throughShell } from './quoted-arguments.ts';
import { strayWords } from './whole-commands.ts';

t.test('two thousand random arguments reach a program through a real shell as they are, each as one', async (t) => {
  const words = randomArguments(2_000, seeded(7));
  const got = throughShell(words);
  t.equal(got.length, words.length);
  t.equal(
    words.findIndex((word, index) => word !== got[index]),
    -1,
  );
});

t.test(
  'hundreds of random URLs, texts and package names go through whole commands as they are, or not at all',
  async (t) => {
    t.same(await strayWords(400, seeded(13)), []);
  },
);

t.test('the longest URLs reach a program as they are, each as one', async (t) => {
  const urls = ["'", '"', '\\', '漢', '😀', "'漢", '$(id)', '\u2028'].map((text) => {
    return `myapp:${text.repeat(Math.floor(4_090 / text.length))}`;
  });
  t.strictSame(throughShell(urls), urls);
});

t.test('plain words are unchanged, and all others are put in single quotes', async (t) => {
  t.equal(commandLine(['am', 'start', '-d', 'https://a/?b=c&d', '']), "am start -d 'https://a/?b=c&d' ''");
  t.equal(quoteArgument("it's"), "'it'\\''s'");
});

t.test('a NUL, which no argument can hold, is refused', async (t) => {
  t.throws(() => quoteArgument('a\0b'), RangeError);
});
