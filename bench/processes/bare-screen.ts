import { BARE_ENCODING, type BareEncoding } from '../controls/bare-screen-messages.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** Starts a bare screen whose pictures have this encoding. */
export const startBareScreen = (encoding: BareEncoding): Promise<ServerProcess> =>
  startServer({ name: `bare ${encoding}`, file: 'bench/controls/bare-screen.ts', env: { [BARE_ENCODING]: encoding } });
