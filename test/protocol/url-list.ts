const CONTROLS = [
  ...Array.from({ length: 0x20 }, (_, index) => String.fromCharCode(index)),
  ...Array.from({ length: 0x21 }, (_, index) => String.fromCharCode(0x7f + index)),
];
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

const holds = (text: string, characters: Iterable<string>) => [...characters].some((one) => text.includes(one));
const consistsOf = (text: string, characters: string) => text.split('').every((one) => characters.includes(one));
const upTo = (text: string, ends: string) => {
  const at = text.split('').findIndex((one) => ends.includes(one));
  return at < 0 ? text : text.slice(0, at);
};

/** All before the colon that comes before any slash, question mark or number sign. */
const schemeOf = (url: string) => {
  const before = upTo(url, ':/?#');
  return url.charAt(before.length) === ':' ? before : undefined;
};

function hostnameOf(url: string): string {
  const [, ...rest] = url.split(':');
  const behind = rest.join(':');
  if (!behind.startsWith('//')) return '';
  const server = upTo(behind.slice(2), '/?#\\').split('@').at(-1) ?? '';
  return server.startsWith('[') ? upTo(server.slice(1), ']') : upTo(server, ':');
}

/**
 * The refusals of the specification's section 4.2, item by item and in its own words, and after them the URLs that no device
 * can receive. They are written with string methods and without the code under test, which is judged by them.
 */
export const REFUSED: Readonly<Record<string, (url: string) => boolean>> = {
  'not 1 to 4,096 characters': (url) => url.length < 1 || url.length > 4_096,
  'relative paths': (url) => schemeOf(url) === undefined,
  'blank values': (url) => url.trim() === '',
  'raw ASCII white space': (url) => holds(url, ' \t\n\v\f\r'),
  'control characters': (url) => holds(url, CONTROLS),
  'malformed schemes': (url) => {
    const [first = '', ...others] = (schemeOf(url) ?? 'a').split('');
    const letters = LETTERS + LETTERS.toUpperCase();
    return first === '' || !letters.includes(first) || !consistsOf(others.join(''), `${letters + DIGITS}+-.`);
  },
  'malformed percent escapes': (url) =>
    url
      .split('%')
      .slice(1)
      .some((after) => after.length < 2 || !consistsOf(after.slice(0, 2), `${DIGITS}abcdefABCDEF`)),
  'HTTP(S) URLs with no hostname': (url) =>
    ['http', 'https'].includes(schemeOf(url)?.toLowerCase() ?? '') && hostnameOf(url) === '',
  'blocked schemes': (url) =>
    ['about', 'data', 'file', 'javascript', 'vbscript'].includes(schemeOf(url)?.toLowerCase() ?? ''),

  'no UTF-8': (url) => Buffer.from(url, 'utf8').toString('utf8') !== url,
};

/** Whether a URL is to be opened. */
export const mayBeOpened = (url: string): boolean => !Object.values(REFUSED).some((refuses) => refuses(url));
