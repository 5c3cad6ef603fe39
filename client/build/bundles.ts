import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { withoutWords } from './without-words.ts';

const CLIENT = join(import.meta.dirname, '..');
const local = (path: string): string => join(import.meta.dirname, path);

/**
 * The contract's package is bundled in, without the parts that make code out of text or that only a server needs. What
 * is left to npm is in the package's own `dependencies`.
 */
const COMMON: BuildOptions = {
  absWorkingDir: CLIENT,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'error',
  legalComments: 'inline',
  alias: {
    msgpackr: 'msgpackr/index-no-eval',
    '@sinclair/typebox/compiler': local('typebox/compiler.ts'),
    '@sinclair/typebox': local('typebox/schema.ts'),
  },
};

const NODE: BuildOptions = { ...COMMON, platform: 'node', target: 'node20', packages: 'bundle' };
const BROWSER: BuildOptions = { ...COMMON, platform: 'browser' };

const REACT: BuildOptions = { ...BROWSER, jsx: 'automatic', external: ['react'] };

/** A program that imports the package is debugged in its sources, which are in the maps. */
const LIBRARY: BuildOptions = { sourcemap: true, sourcesContent: true };

/** A page waits for all of it. */
const SMALL: BuildOptions = { minify: true, plugins: [withoutWords] };

/** Each command is a file of its own, loaded when it is called: most of the time of a short command is spent on loading. */
const COMMAND_LINE = {
  ...NODE,
  entryPoints: { cli: 'cli/main.ts' },
  external: ['ws', 'commander', 'cli-progress', 'env-paths', 'yaml'],
} satisfies BuildOptions;

/** Everything that the package runs, in `folder`. */
export async function writeBundles(folder: string): Promise<void> {
  const to = (name: string) => ({ outfile: join(folder, name) });
  await Promise.all([
    build({ ...NODE, ...LIBRARY, entryPoints: ['sdk/index.ts'], external: ['ws'], ...to('index.js') }),
    build({ ...BROWSER, ...LIBRARY, entryPoints: ['sdk/browser.ts'], ...SMALL, ...to('browser.js') }),
    build({ ...BROWSER, ...LIBRARY, entryPoints: ['sdk/expect.ts'], ...to('expect.js') }),
    build({ ...BROWSER, ...LIBRARY, entryPoints: ['embed/index.ts'], ...to('embed.js') }),
    build({ ...REACT, ...LIBRARY, entryPoints: ['embed/react.tsx'], ...to('react.js') }),
    build({ ...COMMAND_LINE, splitting: true, chunkNames: 'cli/[name]-[hash]', outdir: folder }),
  ]);
}

/** The command line in one piece, and the files that it is made of, relative to this package. */
export async function bundleCommandLine(): Promise<{ readonly code: string; readonly files: readonly string[] }> {
  const { outputFiles, metafile } = await build({ ...COMMAND_LINE, write: false, metafile: true });
  return { code: outputFiles[0]?.text ?? '', files: [...Object.keys(metafile.inputs), 'build/bundles.ts'] };
}
