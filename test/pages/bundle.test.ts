import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { ACTION_NAMES } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { bundleForBrowsers } from '../../server/pages/bundle.ts';

const MODULES = join(import.meta.dirname, '../../node_modules');
/** Each action takes some 50 bytes of it. With the actions' schemas and words it would be three times this. */
const EMBED_BYTES_MAX = 4 * 1_024;

/** Bundles the files of a test's folder; packages are the project's own. */
async function bundle(t: Test, files: Record<string, string>, entry: string): Promise<string> {
  const folder = t.testdir({ ...files, node_modules: t.fixture('symlink', MODULES) });
  return Buffer.from(await bundleForBrowsers(join(folder, entry))).toString();
}

t.test('script becomes one small file of plain JavaScript', async (t) => {
  const script = await bundle(
    t,
    {
      'main.ts': `import { double } from './double.ts';\nconst longName: number = double(21);\nconsole.log(longName);\n`,
      'double.ts': 'export const double = (value: number): number => value * 2;\n',
    },
    'main.ts',
  );
  const printed: unknown[] = [];
  runInNewContext(script, { console: { log: (value: unknown) => printed.push(value) } });
  t.strictSame(printed, [42]);
  t.notMatch(script, /import|longName/);
});

t.test('style is bundled too', async (t) => {
  t.equal(await bundle(t, { 'style.css': 'main {\n  color: red;\n}\n' }, 'style.css'), 'main{color:red}\n');
});

t.test('nothing in a bundle makes code out of text, and what replaces it works', async (t) => {
  const script = await bundle(
    t,
    {
      'main.ts': `
        import { Type } from '@sinclair/typebox';
        import { TypeCompiler } from '@sinclair/typebox/compiler';
        import { Packr } from 'msgpackr';
        const checked = TypeCompiler.Compile(Type.Object({ x: Type.Number({ minimum: 0 }) }));
        const packr = new Packr({ useRecords: false });
        report({
          good: checked.Check({ x: 1 }),
          bad: checked.Check({ x: -1 }),
          packed: packr.unpack(packr.pack({ a: [1, 'two'] })),
        });`,
    },
    'main.ts',
  );
  t.notMatch(script, /\beval\(|new Function|[^.\w]Function\(/);
  let found: unknown;
  // A context that refuses code out of text, as the page's policy does.
  runInNewContext(
    script,
    { TextEncoder, TextDecoder, report: (value: unknown) => (found = JSON.parse(JSON.stringify(value))) },
    { contextCodeGeneration: { strings: false, wasm: true } },
  );
  t.strictSame(found, { good: true, bad: false, packed: { a: [1, 'two'] } });
});

t.test('source that does not compile is refused, and so is source that is not there', async (t) => {
  await t.rejects(bundle(t, { 'main.ts': 'const = 1;' }, 'main.ts'), { message: /cannot be bundled: .*ERROR/s });
  await t.rejects(bundleForBrowsers(join(t.testdir({}), 'none.ts')), { message: /cannot be bundled: .*ERROR/s });
});

t.test('builds that run at once do not end each other', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`${n}.ts`, `console.log(${n});\n`]));
  const folder = t.testdir(files);
  const scripts = await Promise.all(Object.keys(files).map((name) => bundleForBrowsers(join(folder, name))));
  t.strictSame(
    scripts.map((script) => Buffer.from(script).toString()),
    Object.values(files),
  );
});

t.test('the script for embedding pages knows every action, and is small all the same', async (t) => {
  const script = Buffer.from(await bundleForBrowsers('client/embed/index.ts'));
  for (const name of ACTION_NAMES) t.match(script.toString(), `${name}:{`, name);
  const { length } = gzipSync(script, { level: 9 });
  t.ok(length < EMBED_BYTES_MAX, `${length} bytes`);
});
