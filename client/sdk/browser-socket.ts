import { controlAddress } from './control/address.ts';
import type { SocketParts } from './control/control.ts';
import type { Surroundings } from './surroundings.ts';

/** A page cannot send the key with a handshake: it connects with the token of the session's viewer address. */
export const browserSurroundings: Surroundings = {
  sendsStreams: false,
  async socketTo({ platform, sessionId, viewerUrl }, http): Promise<SocketParts> {
    const token = new URL(await viewerUrl()).searchParams.get('token') ?? '';
    const address = (): URL => {
      const url = controlAddress(http.baseUrl, platform, sessionId);
      url.searchParams.set('token', token);
      return url;
    };
    return {
      platform,
      isRenewed: false,
      address,
      open: (url, protocol) => new WebSocket(url, protocol),
      statusOf: async (url, signal) => (await fetch(url, { cache: 'no-store', signal })).status,
    };
  },
};
