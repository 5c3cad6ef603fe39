#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';

// Node.js 22 and newer keep what they have compiled for the next call.
module.enableCompileCache?.();

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
// A package has what was built from the sources. A clone has the sources, and runs them as they are now.
const isClone = existsSync(new URL('../cli/main.ts', import.meta.url));
const code = isClone ? await (await import('../build/clone.mjs')).commandLine() : '../dist/cli.js';
const { main } = await import(code);
await main(version);
