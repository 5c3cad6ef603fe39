import { listenNatively } from '../../server/socket/uws/listener.ts';

/** Listens as the service does. */
export const listen = listenNatively;
