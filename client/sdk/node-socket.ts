import { WebSocket } from 'ws';
import { BOUNDS } from './bounds.ts';
import { controlAddress } from './control/address.ts';
import type { SocketParts } from './control/control.ts';
import { RunCloudError } from './error.ts';
import type { Surroundings } from './surroundings.ts';

/** A screenshot in its message is the longest that a service sends. */
const MESSAGE_BYTES_MAX = BOUNDS.screenshotBytes + 65_536;

/** The key goes into a header of the handshake, and on no redirect. */
export const nodeSurroundings: Surroundings = {
  sendsStreams: true,
  async socketTo({ platform, sessionId }, http): Promise<SocketParts> {
    let headers = { Authorization: await http.authorization() };
    return {
      platform,
      isRenewed: http.isRenewed,
      address: () => controlAddress(http.baseUrl, platform, sessionId),
      open: (address, protocol) => {
        const fixed = { followRedirects: false, perMessageDeflate: false, maxPayload: MESSAGE_BYTES_MAX };
        const socket = new WebSocket(address, protocol, { headers, ...fixed });
        // Its close follows, and tells the same; without a listener it would end the process.
        socket.on('error', () => undefined);
        return socket as unknown as globalThis.WebSocket;
      },
      statusOf: async (address, signal) => {
        try {
          // A handshake with a credential that has expired is refused; the next one is made with what this gives.
          headers = { Authorization: await http.authorization() };
        } catch (error) {
          return error instanceof RunCloudError && error.retryable ? undefined : 401;
        }
        const { status, body } = await fetch(address, { headers, redirect: 'manual', signal });
        await body?.cancel();
        return status;
      },
    };
  },
};
