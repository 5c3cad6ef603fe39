/**
 * RFC 3986, appendix A, rule by rule, as one regular expression: written from the RFC's text and from nothing else, to
 * judge the rules of the contract by.
 */

const ALPHA = 'A-Za-z';
const DIGIT = '0-9';
const HEXDIG = '[0-9A-Fa-f]';
const unreserved = `[${ALPHA}${DIGIT}\\-._~]`;
const pctEncoded = `%${HEXDIG}${HEXDIG}`;
const subDelims = "[!$&'()*+,;=]";
const pchar = `(?:${unreserved}|${pctEncoded}|${subDelims}|[:@])`;
const segment = `${pchar}*`;
const segmentNz = `${pchar}+`;
const pathAbempty = `(?:/${segment})*`;
const pathAbsolute = `/(?:${segmentNz}(?:/${segment})*)?`;
const pathRootless = `${segmentNz}(?:/${segment})*`;

const decOctet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9][0-9]|[0-9])';
const ipv4 = `${decOctet}\\.${decOctet}\\.${decOctet}\\.${decOctet}`;
const h16 = `${HEXDIG}{1,4}`;
const ls32 = `(?:${h16}:${h16}|${ipv4})`;
const ipv6 = [
  `(?:${h16}:){6}${ls32}`,
  `::(?:${h16}:){5}${ls32}`,
  `(?:${h16})?::(?:${h16}:){4}${ls32}`,
  `(?:(?:${h16}:){0,1}${h16})?::(?:${h16}:){3}${ls32}`,
  `(?:(?:${h16}:){0,2}${h16})?::(?:${h16}:){2}${ls32}`,
  `(?:(?:${h16}:){0,3}${h16})?::${h16}:${ls32}`,
  `(?:(?:${h16}:){0,4}${h16})?::${ls32}`,
  `(?:(?:${h16}:){0,5}${h16})?::${h16}`,
  `(?:(?:${h16}:){0,6}${h16})?::`,
].join('|');
const ipvFuture = `[vV]${HEXDIG}+\\.(?:${unreserved}|${subDelims}|:)+`;
const ipLiteral = `\\[(?:${ipv6}|${ipvFuture})\\]`;
const regName = `(?:${unreserved}|${pctEncoded}|${subDelims})*`;
const host = `(?:${ipLiteral}|${ipv4}|${regName})`;
const userinfo = `(?:${unreserved}|${pctEncoded}|${subDelims}|:)*`;
const authority = `(?:${userinfo}@)?(?<host>${host})(?::[0-9]*)?`;
const hierPart = `(?://${authority}${pathAbempty}|${pathAbsolute}|${pathRootless}|)`;
const query = `(?:${pchar}|[/?])*`;

/** `URI = scheme ":" hier-part [ "?" query ] [ "#" fragment ]` */
const URI = new RegExp(`^(?<scheme>[${ALPHA}][${ALPHA}${DIGIT}+\\-.]*):${hierPart}(?:\\?${query})?(?:#${query})?$`);

/** The named parts of an RFC 3986 URI; `undefined` for anything else. */
export function readUri(text: string): { readonly scheme: string; readonly host: string | undefined } | undefined {
  const groups = URI.exec(text)?.groups;
  // `$` of a regular expression would also match before a line feed at the end, were it a multi-line one.
  if (!groups || text.endsWith('\n')) return undefined;
  return { scheme: groups.scheme ?? '', host: groups.host };
}
