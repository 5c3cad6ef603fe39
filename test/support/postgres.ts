import { LocalPostgres } from '../../server/local-postgres.ts';

/** Why tests with PostgreSQL are skipped; `false` where it is installed. */
export const withoutPostgres = (): string | false =>
  LocalPostgres.isInstalled() ? false : 'PostgreSQL is not installed';
