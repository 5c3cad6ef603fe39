import { isIP } from 'node:net';

/** The network address of a client. */
export interface ClientAddress {
  /** IP address, for display. */
  readonly address: string;
  /** The key for rate limits: the IPv4 address, or the /64 of an IPv6 address (one subscriber). */
  readonly network: string;
}

const LOOPBACK = /^(?:127\.|::1$|0000:0000:0000:0000:0000:0000:0000:0001$|(?:0000:){5}ffff:7f|::ffff:127\.)/;

/**
 * The client's address. A proxy on this machine is trusted: its client is the last entry of the last `X-Forwarded-For` line,
 * since proxies append an entry or a line. Earlier entries can be forged and are ignored.
 * @param own the address of the connection
 * @param lastForwarded gives the last `X-Forwarded-For` line, if there is one
 */
export function clientAddress(own: string, lastForwarded: () => string | undefined): ClientAddress {
  const address = (LOOPBACK.test(own) ? forwardedAddress(lastForwarded()) : undefined) ?? own;
  return { address, network: networkOf(address) };
}

function forwardedAddress(line = ''): string | undefined {
  const named = line.slice(line.lastIndexOf(',') + 1).trim();
  return isIP(named) ? named : undefined;
}

const GROUPS = 8;
const MAPPED_IPV4 = /^0:0:0:0:0:ffff:/;

function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  if (!MAPPED_IPV4.test(groups.join(':'))) return `${groups.slice(0, GROUPS / 2).join(':')}::/64`;
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight groups of an IPv6 address in any notation, each without leading zeros (RFC 4291, section 2.2). */
function groupsOf(address: string): string[] {
  const [bare = ''] = address.split('%');
  const inGroups = bare.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [head = '', tail] = inGroups.split('::');
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [
    string[],
    string[],
  ];
  const left = tail === undefined ? 0 : GROUPS - before.length - after.length;
  const groups = [...before, ...Array<string>(left).fill('0'), ...after];
  return groups.map((group) => Number.parseInt(group, 16).toString(16));
}
