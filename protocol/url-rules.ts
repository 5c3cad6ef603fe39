import { isIpLiteral } from './ip-literal.ts';
import { LIMITS } from './limits.ts';

/**
 * Which URLs may be opened (specification, section 4.2): one URI with a scheme, as the grammar of RFC 3986 has it, and
 * nothing that the grammar leaves out. It is US ASCII, so that characters, UTF-16 code units and bytes are the same
 * number. The string itself is judged and handed on; nothing here decodes, lower-cases or rewrites it.
 */

/** What a refused URL breaks. */
export type UrlRule =
  | 'empty'
  | 'length'
  | 'white space'
  | 'control character'
  | 'character'
  | 'percent escape'
  | 'relative'
  | 'scheme'
  | 'blocked scheme'
  | 'host'
  | 'port';

/** The first fault of a URL, counted from its beginning. */
export interface UrlFault {
  readonly rule: UrlRule;
  /** Where it is, in UTF-16 code units from 0; the length of the URL when something is missing at its end. */
  readonly index: number;
  /** What is wrong, to be read after the field's name. */
  readonly message: string;
}

/** Schemes that name content or code of their own instead of something to be opened (specification, section 4.2). */
const BLOCKED_SCHEMES: readonly string[] = ['about', 'data', 'file', 'javascript', 'vbscript'];
const HOSTED_SCHEMES: readonly string[] = ['http', 'https'];

/** RFC 3986, sections 2.2, 2.3, 3.3 and 3.4. `%` stands for an escape, whose digits are checked by themselves. */
const REG_NAME = "A-Za-z0-9\\-._~!$&'()*+,;=%";
const OUTSIDE = {
  userInfo: new RegExp(`[^${REG_NAME}:]`),
  host: new RegExp(`[^${REG_NAME}]`),
  path: new RegExp(`[^${REG_NAME}:@/]`),
  query: new RegExp(`[^${REG_NAME}:@/?]`),
} as const;
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*/;

/** Where the parts of an accepted URL begin and end. */
export interface UrlParts {
  /** Lower case, without its colon: schemes are equal whatever their case (RFC 3986, section 3.1). */
  readonly scheme: string;
  /** Lower case, IPv6 brackets included; absent when there is no authority, empty when it names nobody. */
  readonly host?: string;
  /** Absent when none, or an empty one, is written. */
  readonly port?: number;
  /** As it is written. */
  readonly path: string;
}

/** The parts of a URL that `urlFault` accepts; of others they mean nothing. */
export function urlParts(url: string): UrlParts {
  // RFC 3986, appendix B.
  const [, scheme = '', authority, path = ''] = /^([^:/?#]+):(?:\/\/([^/?#]*))?([^?#]*)/.exec(url) ?? [];
  const named = { scheme: scheme.toLowerCase(), path };
  if (authority === undefined) return named;
  const [, host = '', port = ''] = /^(?:[^@]*@)?(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(authority) ?? [];
  return { ...named, host: host.toLowerCase(), ...(port === '' ? {} : { port: Number(port) }) };
}

/** The first fault of what shall be opened; `undefined` when every rule holds. */
export function urlFault(url: string): UrlFault | undefined {
  if (url === '') return { rule: 'empty', index: 0, message: 'must not be empty' };
  const { max } = LIMITS.urlCharacters;
  if (url.length > max) {
    return { rule: 'length', index: max, message: `has ${url.length} characters; at most ${max} are allowed` };
  }
  return schemeFault(url) ?? restFault(url);
}

function schemeFault(url: string): UrlFault | undefined {
  const scheme = SCHEME.exec(url)?.[0] ?? '';
  const index = scheme.length;
  const next = url.charAt(index);
  if (next === ':' && scheme !== '') {
    if (!BLOCKED_SCHEMES.includes(scheme.toLowerCase())) return undefined;
    return {
      rule: 'blocked scheme',
      index: 0,
      message: `has the scheme "${scheme.toLowerCase()}", which is not opened`,
    };
  }
  if (isAlien(next)) return characterFault(url, index);
  if (next === '' || (next !== '' && '/?#'.includes(next))) {
    return { rule: 'relative', index, message: `is relative: no scheme and ":" come before index ${index}` };
  }
  const allowed = 'a letter, then letters, digits, "+", "-" or ".", then ":"';
  return {
    rule: 'scheme',
    index,
    message: `has a malformed scheme: ${shown(next)} ${at(index)}; a scheme is ${allowed}`,
  };
}

/** The parts behind the scheme from left to right, so that the fault that is told is the first one. */
function restFault(url: string): UrlFault | undefined {
  const colon = url.indexOf(':');
  const hosted = HOSTED_SCHEMES.includes(url.slice(0, colon).toLowerCase());
  let from = colon + 1;
  if (url.startsWith('//', from)) {
    const to = endOf(url, /[/?#]/, from + 2);
    const fault = authorityFault(url, from + 2, to, hosted);
    if (fault) return fault;
    from = to;
  } else if (hosted) {
    // What stands here instead of the second slash may be a fault of its own, such as a backslash or a space.
    const next = url.charAt(from) === '/' ? from + 1 : from;
    return isAlien(url.charAt(next)) ? characterFault(url, next) : noHost(from);
  }
  const query = endOf(url, /[?#]/, from);
  const fragment = endOf(url, /#/, query);
  return (
    partFault(url, OUTSIDE.path, from, query) ??
    partFault(url, OUTSIDE.query, query + 1, fragment) ??
    partFault(url, OUTSIDE.query, fragment + 1, url.length)
  );
}

/** RFC 3986, section 3.2: `[user information "@"] host [":" port]`. */
function authorityFault(url: string, from: number, to: number, hosted: boolean): UrlFault | undefined {
  const sign = url.indexOf('@', from);
  const named = sign >= 0 && sign < to;
  const host = named ? sign + 1 : from;
  const fault = named ? partFault(url, OUTSIDE.userInfo, from, sign) : undefined;
  if (fault) return fault;
  const bracketed = url.charAt(host) === '[';
  const hostEnd = bracketed ? Math.min(endOf(url, /\]/, host) + 1, to) : Math.min(endOf(url, /:/, host), to);
  const hostFault = bracketed ? literalFault(url, host, hostEnd) : partFault(url, OUTSIDE.host, host, hostEnd);
  if (hostFault) return hostFault;
  if (hosted && hostEnd === host) return noHost(host);
  return portFault(url, hostEnd, to);
}

function portFault(url: string, from: number, to: number): UrlFault | undefined {
  if (from >= to) return undefined;
  const digits = url.charAt(from) === ':' ? from + 1 : from;
  const wrong = digits === from ? 0 : url.slice(digits, to).search(/\D/);
  if (wrong < 0) return undefined;
  const index = digits + wrong;
  if (isAlien(url.charAt(index))) return characterFault(url, index);
  return {
    rule: 'port',
    index,
    message: `has ${shown(url.charAt(index))} ${at(index)}, where only a port's digits may stand`,
  };
}

function literalFault(url: string, from: number, to: number): UrlFault | undefined {
  const text = url.slice(from, to);
  const alien = partFault(url, /[^A-Za-z0-9\-._~!$&'()*+,;=:[\]]/, from, to);
  if (alien) return alien;
  if (isIpLiteral(text)) return undefined;
  return { rule: 'host', index: from, message: `has a malformed IP address in brackets ${at(from)}` };
}

/** The first character of a part that may not stand there. */
function partFault(url: string, outside: RegExp, from: number, to: number): UrlFault | undefined {
  if (from >= to) return undefined;
  const part = url.slice(from, to);
  const wrong = part.search(outside);
  const broken = part.search(BAD_ESCAPE);
  // A wrong character within an escape is the escape's fault.
  if (broken >= 0 && (wrong < 0 || broken < wrong)) return escapeFault(from + broken);
  return wrong < 0 ? undefined : characterFault(url, from + wrong);
}

/** Whether no part of any URL has this character. */
const isAlien = (character: string): boolean => /[^A-Za-z0-9\-._~!$&'()*+,;=%:@/?#[\]]/.test(character);

function characterFault(url: string, index: number): UrlFault {
  const code = url.charCodeAt(index);
  const named = `has ${shown(url.charAt(index))} ${at(index)}`;
  if (/[\t\n\v\f\r ]/.test(url.charAt(index))) {
    return { rule: 'white space', index, message: `${named}: white space must be percent-encoded` };
  }
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) {
    return { rule: 'control character', index, message: `${named}: control characters must be percent-encoded` };
  }
  const remedy = code > 0x7f ? 'text outside US ASCII must be percent-encoded as UTF-8' : 'it must be percent-encoded';
  return { rule: 'character', index, message: `${named}, which may not stand there; ${remedy}` };
}

function escapeFault(index: number): UrlFault {
  return { rule: 'percent escape', index, message: `has "%" ${at(index)} without two hexadecimal digits behind it` };
}

function noHost(index: number): UrlFault {
  return {
    rule: 'host',
    index,
    message: `names no host ${at(index)}; http and https need one, as in https://example.com/`,
  };
}

function endOf(url: string, stop: RegExp, from: number): number {
  const found = url.slice(from).search(stop);
  return found < 0 ? url.length : from + found;
}

const at = (index: number): string => `at index ${index}`;

/** The character as a person reads it; one that has no look of its own, or another in each font, by its number. */
function shown(character: string): string {
  if (/[!-~]/.test(character)) return character === '"' ? "'\"'" : `"${character}"`;
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
