import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');
/** Sources of the entry points that a program can import. */
const ENTRIES = [
  'client/sdk/index.ts',
  'client/sdk/browser.ts',
  'client/sdk/expect.ts',
  'client/embed/index.ts',
  'client/embed/react.tsx',
];
/** The compiler emits with several threads, and on a busy machine it has left a file out without a word. */
const RUNS_MAX = 2;
const SPECIFIER = /(from ['"]|import\(['"])(\.[^'"]+)\.tsx?(['"])/g;

/**
 * Writes the declarations of everything that the entries say, and of nothing else: what only the inside knows, such as the
 * schemas, needs no type checker of a program that uses the package.
 */
export async function writeDeclarations(folder: string): Promise<void> {
  const emitted = mkdtempSync(join(tmpdir(), 'runcloud-types-'));
  try {
    const seen = new Set<string>();
    const take = (source: string): void => {
      const file = source.replace(/\.tsx?$/, '.d.ts');
      if (seen.has(file)) return;
      seen.add(file);
      const text = readFileSync(join(emitted, file), 'utf8');
      for (const [, , specifier = ''] of text.matchAll(SPECIFIER)) {
        const next = join(dirname(file), specifier);
        take(existsSync(join(emitted, `${next}.d.ts`)) ? `${next}.ts` : `${next}.tsx`);
      }
      const target = join(folder, relative('.', file));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text.replace(SPECIFIER, '$1$2.js$3'));
    };
    for (let run = 1; run <= RUNS_MAX; run++) {
      await compile(emitted);
      seen.clear();
      try {
        for (const entry of ENTRIES) take(entry);
        return;
      } catch (error) {
        if (run === RUNS_MAX || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

/** TypeScript's compiler, which is no script but a program of the system. */
export async function compilerProgram(): Promise<string> {
  const home = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const { default: getExePath } = (await import(pathToFileURL(join(home, 'lib/getExePath.js')).href)) as {
    readonly default: () => string;
  };
  return getExePath();
}

async function compile(outDir: string): Promise<void> {
  const config = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')) as {
    readonly compilerOptions: Readonly<Record<string, unknown>>;
  };
  const { noEmit: _noEmit, noUnusedLocals: _locals, ...kept } = config.compilerOptions;
  const file = join(outDir, 'tsconfig.json');
  const compilerOptions = {
    ...kept,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: ROOT,
    outDir,
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  const files = ENTRIES.map((entry) => join(ROOT, entry));
  writeFileSync(file, JSON.stringify({ compilerOptions, files }));
  execFileSync(await compilerProgram(), ['--project', file], { stdio: 'inherit' });
}
