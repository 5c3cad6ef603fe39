const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const IPV6_GROUPS = 8;
const LATER = /^v[0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+$/i;

/**
 * Whether a text is a URL's IP literal: an IPv6 address, or one of a later version, in brackets (RFC 3986, section 3.2.2).
 * Zones (RFC 6874) are no part of that grammar.
 */
export function isIpLiteral(text: string): boolean {
  const inside = /^\[(.*)\]$/s.exec(text)?.[1];
  return inside !== undefined && (isIpv6(inside) || LATER.test(inside));
}

function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  // The last two groups may be written as an IPv4 address, which nothing may follow.
  const mixed = last.includes('.') && !text.endsWith('::');
  if (mixed && !IPV4.test(last)) return false;
  const hexadecimal = mixed ? groups.slice(0, -1) : groups;
  if (!hexadecimal.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  const count = hexadecimal.length + (mixed ? 2 : 0);
  return halves.length === 2 ? count < IPV6_GROUPS : count === IPV6_GROUPS;
}
