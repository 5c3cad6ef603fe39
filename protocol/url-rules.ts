import { ACTION_LIMITS } from './action-limits.ts';

/**
 * Which URLs may be opened: all but what section 5 of README.md lists (`open-url`). Whatever else RFC 3986 would leave out,
 * such as brackets, quotes, backslashes and text outside US ASCII, is data that the device gets as it is. Nothing here
 * decodes, lower-cases or rewrites a URL.
 */

/** Schemes that name content or code of their own instead of something to be opened. */
const BLOCKED_SCHEMES: readonly string[] = ['about', 'data', 'file', 'javascript', 'vbscript'];
const HOSTED_SCHEMES: readonly string[] = ['http', 'https'];

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;
/** How a server is written that has a name: neither a port nor a closing bracket comes at once. */
const NAMED_SERVER = /^(?:\[[^\]]|[^[:])/;

/** Characters that are forbidden in a URL, with their name and the reason or remedy for the message. */
const FORBIDDEN: readonly (readonly [RegExp, string, string])[] = [
  [/[\t\n\v\f\r ]/, 'white space', 'it must be percent-encoded'],
  [/\p{Cc}/u, 'a control character', 'it must be percent-encoded'],
  // Section 4.2 does not list it, but it has no UTF-8: no device could get it unchanged.
  [/\p{Cs}/u, 'half of a surrogate pair', 'it stands for no character'],
  [/%(?![0-9A-Fa-f]{2})/, '"%"', 'two hexadecimal digits must follow it'],
];

/** The fault of a URL, as the rest of a sentence that begins with the field's name; `undefined` if it may be opened. */
export function urlFault(url: string): string | undefined {
  const { min, max } = ACTION_LIMITS.urlCharacters;
  if (url.length < min) return 'must not be empty';
  if (url.length > max) return `has ${url.length} characters; at most ${max} are allowed`;
  for (const [pattern, name, remedy] of FORBIDDEN) {
    const index = url.search(pattern);
    if (index >= 0) return `has ${name} at index ${index}; ${remedy}`;
  }
  const beforeColon = /^([^:/?#]*):/.exec(url)?.[1];
  if (beforeColon === undefined) return 'is relative; it must begin with a scheme and ":", as in https://example.com/';
  if (!SCHEME.test(beforeColon)) {
    return 'has a malformed scheme; a scheme is a letter, then letters, digits, "+", "-" or ".", then ":"';
  }
  const { scheme, server = '' } = split(url);
  if (BLOCKED_SCHEMES.includes(scheme)) return `has the scheme "${scheme}", which is not opened`;
  if (HOSTED_SCHEMES.includes(scheme) && !NAMED_SERVER.test(server)) {
    return 'has no hostname; http and https need one, as in https://example.com/';
  }
  return undefined;
}

/** Where the parts of an accepted URL begin and end. */
export interface UrlParts {
  /** Lower case, without its colon: schemes are equal whatever their case (RFC 3986, section 3.1). */
  readonly scheme: string;
  /**
   * Lower case, IPv6 brackets included, with whatever stands in a malformed port's place; absent when there is no
   * authority, empty when it names nobody.
   */
  readonly host?: string;
  /** Absent when none, or an empty one, is written. */
  readonly port?: number;
  /** As it is written. */
  readonly path: string;
}

/** The parts of a URL that `urlFault` accepts; of others they mean nothing. */
export function urlParts(url: string): UrlParts {
  const { scheme, server, path } = split(url);
  if (server === undefined) return { scheme, path };
  const [, host = '', port = ''] = /^(.*?)(?::(\d*))?$/s.exec(server) ?? [];
  return { scheme, path, host: host.toLowerCase(), ...(port === '' ? {} : { port: Number(port) }) };
}

/**
 * RFC 3986, appendix B. Of what its grammar does not allow, the server is the one that browsers and Android go to: it ends
 * at a backslash, and begins behind the last `@`.
 */
function split(url: string) {
  const [, scheme = '', authority, path = ''] = /^([^:/?#]+):(?:\/\/([^/?#\\]*))?([^?#]*)/.exec(url) ?? [];
  const server = authority?.slice(authority.lastIndexOf('@') + 1);
  return { scheme: scheme.toLowerCase(), server, path };
}
