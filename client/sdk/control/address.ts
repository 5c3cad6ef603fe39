import { routeTo } from '../../../protocol/routes/address.ts';
import type { Platform } from '../types.ts';

/** The control socket's address, as `http(s):`. */
export function controlAddress(baseUrl: string, platform: Platform, sessionId: string): URL {
  const { path } = routeTo('GET /service/{platform}/{sessionId}/control', { platform, sessionId });
  return new URL(baseUrl + path);
}
