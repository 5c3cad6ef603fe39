import t from 'tap';
import { seeded } from '../conformance/random.ts';
import { randomArguments, throughShell } from '../drivers/android/guest/quoted-arguments.ts';
import { strayWords } from '../drivers/android/guest/whole-commands.ts';

t.test('a hundred thousand random arguments reach a program through a real shell as they are', async (t) => {
  const words = randomArguments(100_000, seeded(11));
  const got = throughShell(words);
  t.equal(got.length, words.length);
  t.equal(
    words.findIndex((word, index) => word !== got[index]),
    -1,
  );
});

t.test(
  'a hundred thousand URLs, texts and package names go through whole commands as they are, or not at all',
  async (t) => {
    t.same(await strayWords(100_000, seeded(17)), []);
  },
);
