// Runs a program of the service: `node server/run.mjs main` is the service itself, `admin` its administration.
import module from 'node:module';
import { load } from './code/load.mjs';

// Node.js 22 and newer keep what they have compiled for the next start.
module.enableCompileCache?.();

const [program] = process.argv.splice(2, 1);
await load(program);
