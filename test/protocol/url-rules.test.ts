import fc from 'fast-check';
import t from 'tap';
import { LIMITS } from '../../protocol/limits.ts';
import { urlFault, urlParts } from '../../protocol/url-rules.ts';
import { BAD, GOOD } from './url-cases.ts';
import { readUri } from './url-grammar.ts';

/** What a test is called: nothing in it that could break a line of its report. */
const named = (text: string) => JSON.stringify(text.slice(0, 80)).replace(/[^ -~]/gu, '?');

t.test('good URLs are accepted; bad ones are refused for their own fault, at its place', async (t) => {
  for (const url of GOOD) t.equal(urlFault(url), undefined, named(url));
  for (const [url, rule, index] of BAD) t.match(urlFault(url), { rule, index }, named(url));
  t.equal(new Set([...GOOD, ...BAD.map(([url]) => url)]).size, GOOD.length + BAD.length, 'no case stands twice');
  t.ok(GOOD.length >= 100 && BAD.length >= 150, `${GOOD.length} good, ${BAD.length} bad`);
});

t.test('a sentence names the place, and shows no character that could break a line', async (t) => {
  for (const [url, rule, index] of BAD) {
    const message = urlFault(url)?.message ?? '';
    t.match(message, /^[ -~]{10,200}$/, JSON.stringify(message));
    if (rule !== 'empty' && rule !== 'length' && rule !== 'blocked scheme')
      t.ok(message.includes(` ${index}`), message);
  }
});

/** What may be opened, as the specification's section 4.2 and the RFC have it, and without the code under test. */
function mayBeOpened(text: string): boolean {
  const uri = readUri(text);
  if (!uri || text.length < 1 || text.length > 4_096) return false;
  const scheme = uri.scheme.toLowerCase();
  if (['about', 'data', 'file', 'javascript', 'vbscript'].includes(scheme)) return false;
  return (scheme !== 'http' && scheme !== 'https') || (uri.host !== undefined && uri.host !== '');
}

t.test('the tables agree with the grammar of RFC 3986', async (t) => {
  for (const url of GOOD) t.equal(mayBeOpened(url), true, named(url));
  for (const [url] of BAD) t.equal(mayBeOpened(url), false, named(url));
});

const pieces = fc.constantFrom(
  ...['http', 'https', 'HTTP', 'myapp', 'a', 'file', 'data', ':', '/', '//', '?', '#', '@', '[', ']', '[::1]'],
  ...[
    '[1:2::3]',
    '1.2.3.4',
    ':80',
    '%20',
    '%',
    '%4',
    '%zz',
    ' ',
    '\n',
    '\\',
    '"',
    'é',
    '\u0000',
    '\u007f',
    '|',
    '$(x)',
  ],
  ...['example.com', '-', '.', '+', '~', "'", ';', '&', '=', 'v1.a', '::', '255', '256', 'ff', 'g', '😀', '\ud800'],
);
const pieced = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
const nearMiss = fc
  .tuple(
    fc.constantFrom(...GOOD.filter(({ length }) => length < 100)),
    fc.nat(100),
    fc.string({ unit: 'binary', maxLength: 2 }),
  )
  .map(([url, at, text]) => url.slice(0, at) + text + url.slice(at + 1));

t.test('a text is accepted exactly when RFC 3986 and the section of the specification allow it', async (t) => {
  const accepted = { yes: 0, no: 0 };
  const agrees = (text: string) => {
    const verdict = urlFault(text) === undefined;
    accepted[verdict ? 'yes' : 'no']++;
    return verdict === mayBeOpened(text);
  };
  fc.assert(fc.property(fc.oneof(pieced, nearMiss, fc.string({ unit: 'binary' }), fc.webUrl()), agrees), {
    numRuns: 20_000,
  });
  t.ok(accepted.yes > 1_000 && accepted.no > 1_000, `both happened: ${JSON.stringify(accepted)}`);
});

t.test('a fault stands at the first place: what comes before it could still have become a URL', async () => {
  const endings = ['', ':', 'a:', '//a', '/a', 'a', '@a', 'a@b', ']', '1]', '::1]', '::]', '0', '20'];
  const check = (text: string) => {
    const fault = urlFault(text);
    if (!fault || fault.rule === 'length') return true;
    const before = text.slice(0, fault.index);
    // An address in brackets is judged as a whole.
    if (/\[[^\]]*$/.test(before)) return true;
    return endings.some((ending) => mayBeOpened(before + ending));
  };
  fc.assert(fc.property(fc.oneof(pieced, nearMiss), check), { numRuns: 5_000 });
});

t.test('the length is counted up to its last character', async (t) => {
  const { max } = LIMITS.urlCharacters;
  const of = (length: number) => `a:${'b'.repeat(length - 2)}`;
  t.equal(max, 4_096);
  t.equal(urlFault(of(max)), undefined);
  t.match(urlFault(of(max + 1)), { rule: 'length', message: /has 4097 characters; at most 4096/ });
});

t.test('every character of US ASCII is judged in each place as the grammar has it', async (t) => {
  for (let code = 0; code < 256; code++) {
    const character = String.fromCharCode(code);
    for (const [before, after] of [
      ['', 'a://b'],
      ['a', 'b://c'],
      ['a:', ''],
      ['https://a', 'b/'],
      ['https://a', '@b/'],
      ['https://a:', '/'],
      ['https://[::', ']/'],
      ['https://a/', ''],
      ['https://a/?', ''],
      ['https://a/#', ''],
      ['https://a/%', '0'],
      ['https://a/%0', ''],
    ] as const) {
      const text = before + character + after;
      t.equal(urlFault(text) === undefined, mayBeOpened(text), named(text));
    }
  }
});

t.test('the parts of a URL are told without changing it', async (t) => {
  const cases = [
    ['HTTPS://User@Example.COM:8443/A/b?c#d', { scheme: 'https', host: 'example.com', port: 8_443, path: '/A/b' }],
    ['https://example.com', { scheme: 'https', host: 'example.com', path: '' }],
    ['https://example.com:/', { scheme: 'https', host: 'example.com', path: '/' }],
    ['http://u:p@[::1]:80?x', { scheme: 'http', host: '[::1]', port: 80, path: '' }],
    ['MyApp:Open/one', { scheme: 'myapp', path: 'Open/one' }],
    ['myapp:///x', { scheme: 'myapp', host: '', path: '/x' }],
    ['myapp://host#a?b', { scheme: 'myapp', host: 'host', path: '' }],
    ['tel:+1', { scheme: 'tel', path: '+1' }],
  ] as const;
  for (const [url, parts] of cases) t.strictSame(urlParts(url), parts, url);
});

t.test('the parts that are told are those of the grammar', async () => {
  const check = (text: string) => {
    const uri = readUri(text);
    const { scheme, host } = urlParts(text);
    return urlFault(text) !== undefined || (scheme === uri?.scheme.toLowerCase() && host === uri.host?.toLowerCase());
  };
  fc.assert(fc.property(fc.oneof(pieced, nearMiss), check), { numRuns: 5_000 });
});
