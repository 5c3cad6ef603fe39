import type { Platform } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';

/** Which session this page shows, and with what it may connect. */
export interface ViewerAddress {
  readonly sessionId: string;
  readonly token: string;
  /** Platforms to try: the one that the page names, or both. */
  readonly platforms: readonly Platform[];
}

const PLATFORMS: readonly Platform[] = ['ios', 'android'];

/** Reads `/view/{sessionId}?token=...` and what the server wrote on the page. */
export function readAddress(location: Pick<Location, 'pathname' | 'search'>, data: DOMStringMap): ViewerAddress {
  const named = PLATFORMS.find((platform) => platform === data.platform);
  return {
    sessionId: data.session ?? decodeURIComponent(/\/view\/([^/?#]+)/.exec(location.pathname)?.[1] ?? ''),
    token: new URLSearchParams(location.search).get('token') ?? '',
    platforms: named ? [named] : PLATFORMS,
  };
}

/** The control socket's address as `http(s):`; a plain HTTP request to it tells why a handshake was refused. */
export function controlAddress(origin: string, { sessionId, token }: ViewerAddress, platform: Platform): URL {
  const { path } = routeTo('GET /service/{platform}/{sessionId}/control', { platform, sessionId });
  const url = new URL(path, origin);
  url.searchParams.set('token', token);
  return url;
}
