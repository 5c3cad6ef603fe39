import { readFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';
import { PROGRAMS } from './programs.mjs';

const OWN_ADDRESS = /\bimport\.meta\.url\b/g;

/**
 * Bundles all programs of the service: code that several of them use is one file. Packages stay outside, for Node.js to find.
 *
 * @param root folder of the project
 * @returns the files of code, and the sources that they are made of, from `root`
 */
export async function bundleService(root) {
  const server = join(root, 'server');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(PROGRAMS).map(([name, file]) => [name, join(server, file)])),
    outdir: server,
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    sourcesContent: false,
    // The code moves, its sources do not.
    sourceRoot: `${pathToFileURL(server).href}/`,
    logLevel: 'error',
    plugins: [workspaceOnly, ownAddresses],
  });
  // Its program would stay, with all that it has read, for as long as the service runs.
  await stop();
  return {
    outputs: outputFiles.map(({ path, contents }) => ({ name: basename(path), contents })),
    files: [
      ...Object.keys(metafile.inputs),
      ...['programs.mjs', 'bundle.mjs'].map((file) => relative(root, join(import.meta.dirname, file))),
    ],
  };
}

/** The packages of this project are sources as well; all others are left out, and what other programs load too. */
const workspaceOnly = {
  name: 'workspace-only',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@runcloud/') ? undefined : { path, external: true },
    );
    onResolve({ filter: /^\..*\.cjs$/ }, ({ path, resolveDir }) => ({
      path: pathToFileURL(resolve(resolveDir, path)).href,
      external: true,
    }));
  },
};

/** A source finds the files beside it by its own address, wherever its code has gone. */
const ownAddresses = {
  name: 'own-addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      if (!code.includes('import.meta.url')) return undefined;
      return { contents: code.replace(OWN_ADDRESS, JSON.stringify(pathToFileURL(path).href)), loader: 'ts' };
    });
  },
};
