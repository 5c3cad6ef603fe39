import { readFileSync } from 'node:fs';
import t from 'tap';
import { meets } from '../../../bench/report/ratios.ts';
import { SCENARIOS } from '../../../bench/scenarios/registry.ts';
import { drawChart } from '../../../bench/whole/chart.ts';
import { readmeFigures, withFigures } from '../../../bench/whole/readme-figures.ts';
import { failedOf, goalsOf, readResults } from '../../../bench/whole/results.ts';
import { RESULTS_DIR } from '../../../bench/whole/whole-run.ts';

const results = readResults(readFileSync(`${RESULTS_DIR}/latest.json`, 'utf8'));
const readme = readFileSync('README.md', 'utf8');
const method = readFileSync('bench/README.md', 'utf8');

t.test('the chart is the one that the kept results make', async (t) => {
  t.equal(
    readFileSync(`${RESULTS_DIR}/latest.svg`, 'utf8'),
    drawChart(results),
    '`npm run bench -- chart` makes it anew',
  );
});

t.test('README has the figures that the kept results make, and no others of the benchmark', async (t) => {
  t.equal(withFigures(readme, results), readme, '`npm run bench -- chart` makes them anew');
  t.ok(readme.includes(readmeFigures(results)));
});

t.test('the verdict of each goal in the kept results follows from their own figures', async (t) => {
  const goals = goalsOf(results);
  t.ok(goals.length > 0);
  for (const { scenario, name, measured, goal, bound, met } of goals) {
    t.equal(met, meets(measured, goal, bound), `${scenario}: ${name}`);
  }
  const names = goals.map(({ scenario, name }) => `${scenario}: ${name}`);
  t.equal(new Set(names).size, names.length, 'no two goals have the same name');
});

t.test('every scenario of the kept results was measured', async (t) => {
  t.same(failedOf(results), []);
  t.same(
    results.scenarios.map(({ name }) => name).filter((name) => !SCENARIOS.has(name)),
    [],
  );
});

t.test('every scenario has its method in bench/README.md, where README’s links lead', async (t) => {
  for (const name of SCENARIOS.keys()) t.match(method, `\n## ${name}\n`, name);
  for (const [, anchor = ''] of readme.matchAll(/\(bench\/README\.md#([a-z-]+)\)/g)) {
    const headings = [...method.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase());
    t.ok(headings.includes(anchor.replaceAll('-', ' ')), anchor);
  }
});

t.test('results without a place in README are refused', async (t) => {
  t.throws(() => withFigures('# RunCloud\n', results), /no place/);
});
