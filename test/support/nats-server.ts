import { LocalNats } from '../../server/local-nats.ts';

/** Why tests with NATS are skipped; `false` where it is installed. */
export const withoutNats = (): string | false => (LocalNats.isInstalled() ? false : 'nats-server is not installed');
