import fc from 'fast-check';
import t from 'tap';
import { LIMITS } from '../../protocol/limits.ts';
import { urlFault, urlParts } from '../../protocol/url-rules.ts';
import { BAD, GOOD, SENTENCES } from './url-cases.ts';
import { mayBeOpened, REFUSED } from './url-list.ts';

/** A test title without characters that could break the line of the report. */
const named = (text: string) => JSON.stringify(text.slice(0, 80)).replace(/[^ -~]/gu, '?');

t.test('good URLs are accepted; bad ones are refused for their own fault, at its place', async (t) => {
  for (const url of GOOD) t.equal(urlFault(url), undefined, named(url));
  for (const [url, fault, index] of BAD) {
    const message = urlFault(url) ?? '';
    t.match(message, SENTENCES[fault], named(url));
    t.equal(/ at index (\d+)/.exec(message)?.[1], index?.toString(), named(url));
    t.match(message, /^[ -~]{10,200}$/, 'it shows no character that could break a line');
  }
  t.equal(new Set([...GOOD, ...BAD.map(([url]) => url)]).size, GOOD.length + BAD.length, 'no case stands twice');
  t.ok(GOOD.length >= 150 && BAD.length >= 120, `${GOOD.length} good, ${BAD.length} bad`);
});

t.test('the tables agree with the list of the specification, of which each item is met', async (t) => {
  for (const url of GOOD) t.equal(mayBeOpened(url), true, named(url));
  for (const [url] of BAD) t.equal(mayBeOpened(url), false, named(url));
  for (const [item, refuses] of Object.entries(REFUSED)) {
    t.ok(
      BAD.some(([url]) => refuses(url)),
      item,
    );
  }
});

const pieces = fc.constantFrom(
  ...['http', 'https', 'HTTP', 'myapp', 'a', 'file', 'data', ':', '/', '//', '?', '#', '@', '[', ']', '[::1]', '[]'],
  ...['http://', 'https://', ':80', '%20', '%', '%4', '%zz', ' ', '\t', '\n', '\v', '\\', '"', "'", '|', '^', '{}'],
  ...['é', '漢', '😀', '\ud800', '\udc00', '\u0000', '\u007f', '\u0085', '\u00a0', '\u2028', '\u202e', '\ufeff'],
  ...['example.com', '-', '.', '+', '~', ';', '&', '=', '::', '255', '$(x)', '\u212a', '\u017f'],
);
const pieced = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
const nearMiss = fc
  .tuple(
    fc.constantFrom(...GOOD.filter(({ length }) => length < 100)),
    fc.nat(100),
    fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 2 })),
  )
  .map(([url, at, text]) => url.slice(0, at) + text + url.slice(at + 1));

t.test('a text is refused exactly when an item of the list refuses it', async (t) => {
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

/** US ASCII and Latin-1, white space and formats, the edges of the surrogates, and the end. */
const CODES = [
  [0, 0x200],
  [0x2000, 0x2070],
  [0xd7f8, 0xd808],
  [0xdbf8, 0xdc08],
  [0xdff8, 0xe008],
  [0xfef0, 0x10000],
].flatMap(([from = 0, to = 0]) => Array.from({ length: to - from }, (_, index) => from + index));

t.test('every character that could matter is judged in each place as the list has it', async (t) => {
  const places = [
    ['', 'a://b'],
    ['a', 'b://c'],
    ['a:', ''],
    ['https://', '/'],
    ['https://a', '@/'],
    ['https://a:', '/'],
    ['https://[', ']/'],
    ['https://a/', ''],
    ['https://a/?', ''],
    ['https://a/#', ''],
    ['https://a/%', '0'],
    ['https://a/%0', ''],
  ] as const;
  for (const [before, after] of places) {
    const wrong = CODES.map((code) => before + String.fromCharCode(code) + after).filter(
      (text) => (urlFault(text) === undefined) !== mayBeOpened(text),
    );
    t.same(wrong, [], `${before}?${after}`);
  }
});

t.test('the length is counted in UTF-16 code units, up to its last one', async (t) => {
  const { max } = LIMITS.urlCharacters;
  t.equal(max, 4_096);
  for (const character of ['b', 'é', '漢', '😀']) {
    const of = (length: number) => `a:${character.repeat((length - 2) / character.length)}`;
    t.equal(urlFault(of(max)), undefined);
    t.match(urlFault(of(max + character.length)), /^has 409[78] characters; at most 4096/);
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
    ['https://Bücher.example/Ä|b', { scheme: 'https', host: 'bücher.example', path: '/Ä|b' }],
    ['https://one@two@three/', { scheme: 'https', host: 'three', path: '/' }],
    ['https://one\\@two/', { scheme: 'https', host: 'one', path: '\\@two/' }],
    ['https://one:port/', { scheme: 'https', host: 'one:port', path: '/' }],
  ] as const;
  for (const [url, parts] of cases) t.strictSame(urlParts(url), parts, url);
});

t.test('the host is the one that a browser goes to', async (t) => {
  const some = fc.constantFrom('a', 'b.example', '@', ':', ':1', '/', '\\', '?', '#', '[::1]', '漢', '%20', '|', '{');
  let compared = 0;
  const agrees = (parts: readonly string[]) => {
    const url = `http://${parts.join('')}`;
    // The browser writes other scripts as Punycode, and has no port, path or host that it does not understand.
    if (urlFault(url) !== undefined || !URL.canParse(url)) return true;
    compared++;
    const { host = '' } = urlParts(url);
    return new URL(`http://${host}/`).hostname === new URL(url).hostname;
  };
  fc.assert(fc.property(fc.array(some, { maxLength: 8 }), agrees), { numRuns: 10_000 });
  t.ok(compared > 500, `${compared} compared`);
});
