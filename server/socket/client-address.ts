import type { HttpResponse } from 'uWebSockets.js';
import { isIP } from 'node:net';

const LOOPBACK = /^(?:127\.|::1$|0000:0000:0000:0000:0000:0000:0000:0001$|(?:0000:){5}ffff:7f|::ffff:127\.)/;

/**
 * Where a request came from. A proxy on this machine is believed what it says of its own caller, which is the last entry
 * of `X-Forwarded-For`; the entries before it are anybody's invention.
 */
export function clientAddress(res: HttpResponse, forwardedFor: string | undefined): string {
  const address = Buffer.from(res.getRemoteAddressAsText()).toString('latin1');
  if (forwardedFor === undefined || !LOOPBACK.test(address)) return address;
  const named = forwardedFor.slice(forwardedFor.lastIndexOf(',') + 1).trim();
  return isIP(named) ? named : address;
}
