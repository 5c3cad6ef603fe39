import { readFileSync } from 'node:fs';
import { nodeFault } from './node-version.ts';

/** The first import of each program. It ends the process if Node.js is too old, before anything fails for lack of a feature. */
const { engines } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as {
  engines: { node: string };
};
const fault = nodeFault(process.version, engines.node);
if (fault !== undefined) {
  process.stderr.write(`runcloud: ${fault}\n`);
  process.exit(1);
}
