import t from 'tap';
import type { AndroidApp, IosApp, LinkFilter } from '../../server/device/app-package.ts';
import { isWebUrl, urlHandler } from '../../server/device/url-handler.ts';

const ios = (identifier: string, urlSchemes: readonly string[], linkedHosts: readonly string[] = []): IosApp => ({
  platform: 'ios',
  identifier,
  name: identifier,
  version: '1',
  urlSchemes,
  linkedHosts,
});

const android = (identifier: string, ...filters: readonly Partial<LinkFilter>[]): AndroidApp => ({
  platform: 'android',
  identifier,
  name: identifier,
  version: '1',
  activities: filters.map((filter, index) => ({
    name: `${identifier}.Activity${index}`,
    filters: [{ schemes: ['https'], authorities: [], paths: [], autoVerify: false, ...filter }],
  })),
});

t.test('iOS: a scheme belongs to the app that lists it, whatever its case, and to the first of several', async (t) => {
  const apps = [ios('one', ['shop', 'shop-beta']), ios('two', ['shop', 'chat'])];
  const found = (url: string) => urlHandler(apps, url)?.identifier;
  t.equal(found('shop://item'), 'one');
  t.equal(found('SHOP:item'), 'one');
  t.equal(found('Shop-Beta:'), 'one');
  t.equal(found('chat:a'), 'two');
  for (const url of ['sho://a', 'shopp:a', 'tel:1', 'mailto:a@b.example', 'intent:#Intent;scheme=shop;end']) {
    t.equal(found(url), undefined, url);
  }
});

t.test('iOS: an address of the web belongs to an app that is linked to its host, never to a scheme', async (t) => {
  const apps = [
    ios('greedy', ['https', 'http']),
    ios('linked', [], ['shop.example', '*.chat.example', 'dev.example:8443']),
  ];
  const found = (url: string) => urlHandler(apps, url)?.identifier;
  for (const url of [
    'https://shop.example/',
    'http://shop.example',
    'HTTPS://SHOP.EXAMPLE/a',
    'https://shop.example:443/',
    'http://shop.example:80/',
    'https://user@shop.example/',
    'https://one@two@shop.example/',
    'https://shop.example\\@evil.example/',
    'https://shop.example/é?a[]=|',
    'https://a.chat.example/',
    'https://a.b.chat.example/',
    'https://dev.example:8443/',
  ]) {
    t.equal(found(url), 'linked', url);
  }
  for (const url of [
    'https://example/',
    'https://www.shop.example/',
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    'https://shop.example@a@evil.example/',
    'https://evil.example\\@shop.example/',
    'https://evil.example\\.shop.example/',
    'https://shop.example:port/',
    'https://shop.example\u3002/',
    'https://evil.example/?https://shop.example/',
    'https://shop.example:8443/',
    'https://chat.example/',
    'https://dev.example/',
    'https://dev.example:443/',
    'https://xchat.example/',
  ]) {
    t.equal(found(url), undefined, url);
  }
});

t.test('Android: a filter without hosts takes all of its schemes, with any path', async (t) => {
  const apps = [android('one', { schemes: ['shop', 'buy'], paths: [{ kind: 'literal', value: '/only' }] })];
  for (const url of ['shop:', 'SHOP://a/b?c#d', 'buy:x', 'shop:///'])
    t.equal(urlHandler(apps, url)?.identifier, 'one', url);
  for (const url of ['shopp:a', 'intent://a#Intent;scheme=shop;end', 'tel:1'])
    t.equal(urlHandler(apps, url), undefined, url);
});

t.test('Android: with hosts the host, the port and the path count', async (t) => {
  const filter: Partial<LinkFilter> = {
    schemes: ['shop'],
    authorities: [{ host: 'items' }, { host: '*.deep', port: 81 }],
    paths: [
      { kind: 'prefix', value: '/one' },
      { kind: 'literal', value: '/a b/é' },
    ],
  };
  const found = (url: string) => urlHandler([android('one', filter)], url)?.identifier;
  for (const url of [
    'shop://items/one',
    'shop://ITEMS/one/two?x',
    'shop://items:99/one',
    'shop://x.deep:81/one',
    'shop://items/%6Fne',
    'shop://items/a%20b/%C3%A9',
    'shop://items/a%20b/é',
    'shop://user@x@items/one[]',
    'shop://items/one\\..',
  ]) {
    t.equal(found(url), 'one', url);
  }
  for (const url of [
    'shop:one',
    'shop:///one',
    'shop://item/one',
    'shop://items/two',
    'shop://items',
    'shop://deep:81/one',
    'shop://x.deep/one',
    'shop://x.deep:82/one',
    'shop://items/a%20b/%E9',
    'shop://items\\/one',
    'shop://items\\one',
    'shop://items:port/one',
    'shop://items|/one',
  ]) {
    t.equal(found(url), undefined, url);
  }
  const any = android('any', { schemes: ['shop'], authorities: [{ host: '*' }] });
  t.equal(urlHandler([any], 'shop://anything')?.identifier, 'any');
  t.equal(urlHandler([any], 'shop:opaque'), undefined, 'an opaque URL has no host at all');
});

t.test('Android: an address of the web belongs to an app by a verified App Link alone', async (t) => {
  const authorities = [{ host: 'shop.example' }];
  const verified = android('verified', { schemes: ['http', 'https'], authorities, autoVerify: true });
  const hoping = android('hoping', { schemes: ['https'], authorities });
  const hostless = android('hostless', { schemes: ['https'], autoVerify: true });
  t.equal(urlHandler([hoping, hostless, verified], 'https://shop.example/a')?.identifier, 'verified');
  t.equal(urlHandler([hoping, hostless], 'https://shop.example/a'), undefined);
  t.equal(urlHandler([verified], 'https://www.shop.example/a'), undefined);
});

t.test('an app is found by any of its activities', async (t) => {
  const app = android('one', { schemes: ['a'] }, { schemes: ['b'] });
  t.equal(urlHandler([app], 'b:')?.identifier, 'one');
});

t.test('only http and https are addresses of the web', async (t) => {
  for (const url of ['http://a', 'HTTPS://a']) t.equal(isWebUrl(url), true, url);
  for (const url of ['httpx://a', 'ws://a', 'shop:https://a']) t.equal(isWebUrl(url), false, url);
});
