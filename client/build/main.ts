import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeBundles } from './bundles.ts';
import { writeDeclarations } from './declarations.ts';

/** Makes `dist/`, which is what is published. */
const folder = process.argv[2] ?? join(import.meta.dirname, '../dist');
rmSync(folder, { recursive: true, force: true });
await writeBundles(folder);
await writeDeclarations(join(folder, 'types'));
