import type { SocketLibrary } from '../socket/libraries.ts';
import type { Listen } from '../socket/listener.ts';
import { listenPortably } from '../socket/node/listener.ts';
import { listenNatively } from '../socket/uws/listener.ts';
import { nativeSockets } from '../socket/uws/native.ts';

/** The release of uWebSockets.js that its authors publish for newer versions of Node.js, on GitHub only. */
const OFFICIAL = 'npm install --workspace server uWebSockets.js@github:uNetworking/uWebSockets.js#v20.69.0';

export interface ChosenLibrary {
  readonly name: SocketLibrary;
  readonly listen: Listen;
  /** Why the slower one was taken, and how to get the faster one; absent if it was asked for. */
  readonly notice?: string;
}

/**
 * Chooses the socket library: uWebSockets.js where it has a native build, else `ws`.
 * Throws if `wanted` cannot be had.
 */
export function socketLibrary(wanted: SocketLibrary | undefined): ChosenLibrary {
  if (wanted === 'ws') return { name: 'ws', listen: listenPortably };
  if (nativeSockets()) return { name: 'uws', listen: listenNatively };
  const lack = `uWebSockets.js has no native build for Node.js ${process.version} on ${process.platform}-${process.arch}`;
  if (wanted === 'uws') throw new Error(`RUNCLOUD_SOCKETS is uws, but ${lack}: ${OFFICIAL}`);
  const notice = `${lack}: ws serves instead and takes more of the processor (README.md, "Node.js"); for its official release: ${OFFICIAL}`;
  return { name: 'ws', listen: listenPortably, notice };
}
