import { BOUNDS } from './bounds.ts';
import { controlAddress } from './control/address.ts';
import type { SocketParts } from './control/control.ts';
import { RunCloudError } from './error.ts';
import type { Surroundings } from './surroundings.ts';

/** The longest message of a service is one with a screenshot. */
const MESSAGE_BYTES_MAX = BOUNDS.screenshotBytes + 65_536;

/** The key is sent in a header of the handshake; redirects are not followed. */
export const nodeSurroundings: Surroundings = {
  sendsStreams: true,
  async socketTo({ platform, sessionId }, http): Promise<SocketParts> {
    // It loads half of Node.js, and most programs and commands open no socket.
    const { WebSocket } = await import('ws');
    let headers = { Authorization: await http.authorization() };
    return {
      platform,
      isRenewed: http.isRenewed,
      address: () => controlAddress(http.baseUrl, platform, sessionId),
      open: (address, protocol) => {
        const fixed = { followRedirects: false, perMessageDeflate: false, maxPayload: MESSAGE_BYTES_MAX };
        const socket = new WebSocket(address, protocol, { headers, ...fixed });
        // `close` follows and reports the same; without a listener for `error` the process would end.
        socket.on('error', () => undefined);
        return socket as unknown as globalThis.WebSocket;
      },
      statusOf: async (address, signal) => {
        try {
          // A handshake with an expired credential is refused; the next one uses the credential returned here.
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
