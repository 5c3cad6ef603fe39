import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { seeded } from '../conformance/random.ts';
import { strayFileNames } from '../drivers/android/guest/stray-file-names.ts';
import { strayContainerNames } from '../drivers/ios/stray-container-names.ts';

const COUNT = 100_000;

t.test('a hundred thousand random names of files go through a real shell as they are, or not at all', async (t) => {
  const { stray, taken, refused } = await strayFileNames(COUNT, seeded(29));
  t.same(stray, []);
  t.equal(taken + refused, COUNT);
  t.comment(`${taken} taken, ${refused} refused`);
});

t.test(
  'a hundred thousand random names are in the folder of a simulator byte for byte, and leave nothing',
  async (t) => {
    // Memory, where the system has it as files: each is synced.
    const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'runcloud-names-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    const { stray, taken, refused } = await strayContainerNames(COUNT, seeded(31), folder);
    t.same(stray, []);
    t.equal(taken + refused, COUNT);
    t.comment(`${taken} taken, ${refused} refused`);
  },
);
