import type { Platform } from '../types.ts';

/** The control socket's address, as `http(s):`. */
export function controlAddress(baseUrl: string, platform: Platform, sessionId: string): URL {
  return new URL(`${baseUrl}/service/${platform}/${encodeURIComponent(sessionId)}/control`);
}
