import t from 'tap';
import { seeded } from '../conformance/random.ts';
import { randomArguments } from '../drivers/android/guest/quoted-arguments.ts';
import { textsThatChange } from '../support/ios/literal-calls.ts';

const COUNT = 100_000;
const AT_ONCE = 5_000;

t.test(
  'a hundred thousand random URLs, identifiers and texts reach simctl as they are',
  { timeout: 3_000_000 },
  async (t) => {
    const random = seeded(17);
    for (let done = 0; done < COUNT; done += AT_ONCE) {
      t.same(await textsThatChange(randomArguments(AT_ONCE, random), t.testdir()), [], `after ${done}`);
    }
  },
);
