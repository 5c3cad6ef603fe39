import { createRequire } from 'node:module';
import type Binding from 'better-sqlite3';

/**
 * The binding of SQLite. Version 13 brings its builds along, for Node.js 22 and newer; version 12, which Node.js 20 needs,
 * ends the process on Node.js 24 when it is collected.
 */
const NEWER_SINCE = 22;
const PACKAGES = { newer: 'better-sqlite3-13', older: 'better-sqlite3' } as const;

const isNewer = Number(process.versions.node.split('.', 1)[0]) >= NEWER_SINCE;
export type Database = Binding.Database;
export const Sqlite = createRequire(import.meta.url)(isNewer ? PACKAGES.newer : PACKAGES.older) as typeof Binding;
