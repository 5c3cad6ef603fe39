/** Whether `If-None-Match` names this strong entity tag; its comparison is the weak one (RFC 9110, section 13.1.2). */
export function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  const listed = (ifNoneMatch ?? '').split(',').map((item) => item.trim().replace(/^W\//, ''));
  return listed.includes(etag) || listed.includes('*');
}

/**
 * Whether `If-Range` lets a range be sent (RFC 9110, section 13.1.5): absent, or exactly this strong entity tag. A date
 * never does, because there is no `Last-Modified` to compare it with.
 */
export function rangeStands(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}
