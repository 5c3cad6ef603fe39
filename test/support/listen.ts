import { SOCKET_LIBRARIES } from '../../server/socket/libraries.ts';
import { socketLibrary } from '../../server/wiring/socket-library.ts';

/** `RUNCLOUD_SOCKETS` in the environment of the tests chooses the library that all of them are run over. */
const wanted = SOCKET_LIBRARIES.find((name) => name === process.env.RUNCLOUD_SOCKETS);
export const { name: SOCKETS, listen } = socketLibrary(wanted);

/** Environment variables that make a service use that library. */
export const SOCKETS_ENVIRONMENT = wanted === undefined ? {} : { RUNCLOUD_SOCKETS: wanted };
