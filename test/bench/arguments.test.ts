import t from 'tap';
import { readArguments } from '../../bench/arguments.ts';

t.test('without options both layouts are measured in a few short rounds', async (t) => {
  t.match(readArguments(['tap']), { scenario: 'tap', seconds: 0.3, rounds: 3, layouts: ['one-core', 'two-cores'] });
});

t.test('unknown scenarios and options are refused by name', async (t) => {
  t.throws(() => readArguments(['tap', '--layout', 'three-cores']), /--layout/);
  t.throws(() => readArguments(['tap', '--rounds', '0']), /--rounds/);
  t.throws(() => readArguments(['tap', '--seconds', 'x']), /--seconds/);
  t.throws(() => readArguments(['tap', '--unknown']), /--unknown/);
});

t.test('without a scenario all of them are meant, and what belongs to one of them is refused', async (t) => {
  t.match(readArguments([]), { scenario: undefined, outDir: undefined });
  t.match(readArguments(['--out', '/tmp/results', '--controls-only']), { outDir: '/tmp/results', controlsOnly: true });
  t.throws(() => readArguments(['--json', 'a.json']), /--json/);
  t.throws(() => readArguments(['--profile', 'a']), /--profile/);
  t.throws(() => readArguments(['--against', 'a']), /--against/);
  t.throws(() => readArguments(['tap', '--against', 'a', '--profile', 'b']), /--against/);
  t.throws(() => readArguments(['tap', '--out', 'a']), /--out/);
  t.throws(() => readArguments(['--controls-only']), /--out/);
  t.throws(() => readArguments(['--stages']), /--stages/);
  t.throws(() => readArguments(['tap', '--stages']), /--stages/);
  t.throws(() => readArguments(['photon', '--stages', '--against', 'a']), /--stages/);
  t.match(readArguments(['photon', '--stages']), { stages: true });
  t.throws(() => readArguments(['tap', 'rest']), /rest/);
});
