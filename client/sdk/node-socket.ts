import { WebSocket } from 'ws';
import { controlAddress } from './control/address.ts';
import type { SocketParts } from './control/control.ts';
import { RunCloudError } from './error.ts';
import type { Surroundings } from './surroundings.ts';

/** The key goes into a header of the handshake, and on no redirect. */
export const nodeSurroundings: Surroundings = {
  async socketTo({ platform, sessionId }, http): Promise<SocketParts> {
    let headers = { Authorization: await http.authorization() };
    return {
      platform,
      isRenewed: http.isRenewed,
      address: () => controlAddress(http.baseUrl, platform, sessionId),
      open: (address, protocol) => {
        const socket = new WebSocket(address, protocol, { headers, followRedirects: false, perMessageDeflate: false });
        // Its close follows, and tells the same; without a listener it would end the process.
        socket.on('error', () => undefined);
        return socket as unknown as globalThis.WebSocket;
      },
      statusOf: async (address) => {
        try {
          // A handshake with a credential that has expired is refused; the next one is made with what this gives.
          headers = { Authorization: await http.authorization() };
        } catch (error) {
          return error instanceof RunCloudError && error.retryable ? undefined : 401;
        }
        const { status, body } = await fetch(address, { headers, redirect: 'manual' });
        await body?.cancel();
        return status;
      },
    };
  },
};
