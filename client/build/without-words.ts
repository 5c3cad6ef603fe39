import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** A description in a schema, as it is written in the contract: a text that stands as it is. */
const DESCRIPTION = /\bdescription:\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`$\\]*`)\s*(?:,|(?=\}))/g;

/**
 * Leaves the descriptions of the contract's fields out of a bundle. They are for the reference that the service makes; nothing that a page
 * does reads them.
 */
export const withoutWords: Plugin = {
  name: 'without-words',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]protocol[/\\].*\.ts$/ }, async ({ path }) => {
      return { contents: (await readFile(path, 'utf8')).replaceAll(DESCRIPTION, ''), loader: 'ts' };
    });
  },
};
