import { readFileSync } from 'node:fs';
import { nodeFault } from './node-version.ts';

/** The first import of each program: on a Node.js that is too old it ends the process before anything misses what that lacks. */
const { engines } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as {
  engines: { node: string };
};
const fault = nodeFault(process.version, engines.node);
if (fault !== undefined) {
  process.stderr.write(`runcloud: ${fault}\n`);
  process.exit(1);
}
