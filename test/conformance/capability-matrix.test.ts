import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { capabilityMatrix } from './capability-matrix.ts';
import { EVERY_DRIVER } from './drivers.ts';

const BEGIN =
  '<!-- capabilities: made by `WRITE_README=1 npx tap run test/conformance/capability-matrix.test.ts` -->\n';
const END = '\n<!-- end of capabilities -->';

t.test('README tells what each device can', async (t) => {
  const readme = readFileSync('README.md', 'utf8');
  const from = readme.indexOf(BEGIN) + BEGIN.length;
  const to = readme.indexOf(END, from);
  t.ok(from >= BEGIN.length && to > from, 'README has the place of the table');
  const matrix = capabilityMatrix(EVERY_DRIVER);
  if (process.env.WRITE_README) writeFileSync('README.md', `${readme.slice(0, from)}${matrix}${readme.slice(to)}`);
  else t.equal(readme.slice(from, to), matrix);
});
