const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether an address is of the same origin as the service's (RFC 6454). The names of this machine's own loopback count as one:
 * a service on it calls itself by one of them.
 */
export function isOfSameService(url: string, baseUrl: string): boolean {
  if (!URL.canParse(url)) return false;
  const [a, b] = [new URL(url), new URL(baseUrl)];
  if (a.username !== '' || a.password !== '') return false;
  const areLoopback = LOOPBACK.test(a.hostname) && LOOPBACK.test(b.hostname);
  return a.origin === b.origin || (areLoopback && a.protocol === b.protocol && a.port === b.port);
}
