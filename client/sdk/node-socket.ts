import { WebSocket } from 'ws';
import { controlAddress } from './control/address.ts';
import type { SocketParts } from './control/control.ts';
import type { Surroundings } from './surroundings.ts';

/** The key goes into a header of the handshake, and on no redirect. */
export const nodeSurroundings: Surroundings = {
  async socketTo({ platform, sessionId }, http): Promise<SocketParts> {
    const headers = { Authorization: http.authorization };
    return {
      platform,
      address: () => controlAddress(http.baseUrl, platform, sessionId),
      open: (address, protocol) => {
        const socket = new WebSocket(address, protocol, { headers, followRedirects: false, perMessageDeflate: false });
        // Its close follows, and tells the same; without a listener it would end the process.
        socket.on('error', () => undefined);
        return socket as unknown as globalThis.WebSocket;
      },
      statusOf: async (address) => {
        const { status, body } = await fetch(address, { headers, redirect: 'manual' });
        await body?.cancel();
        return status;
      },
    };
  },
};
