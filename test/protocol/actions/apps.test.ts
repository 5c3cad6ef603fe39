import t from 'tap';
import { accept, refuse } from '../checks.ts';

const app = 'com.example.shop';

for (const action of ['launchApp', 'terminateApp', 'clearAppData', 'uninstallApp']) {
  t.test(`${action} names an app by its identifier, and nothing that a command could read otherwise`, async (t) => {
    for (const one of ['a', '9', app, 'Touch-Lab_2', 'a'.repeat(255)])
      t.match(accept({ action, app: one }), { app: one });
    for (const one of [
      '',
      '-s',
      '.a',
      '_a',
      'a b',
      'a/b',
      'a;b',
      "a'",
      'a\n',
      'ä',
      'a'.repeat(256),
      1,
      null,
      undefined,
    ]) {
      refuse({ action, app: one }, 'app', t);
    }
  });
}

t.test('a launch has arguments by name, which are kept in one order', async (t) => {
  const action = 'launchApp';
  t.same(accept({ action, app }), { action, app, arguments: {}, requestId: 'made', timeoutMs: 15_000 });
  const given = { b: '', a: '-x "\'$(id)\n', 'C.d_e-9': '\u{1f600}' };
  const { arguments: kept } = accept({ action, app, arguments: given }) as unknown as { arguments: object };
  t.same(kept, given);
  t.same(Object.keys(kept), ['C.d_e-9', 'a', 'b']);
  t.not(kept, given, 'it is a copy');
  const names = Array.from({ length: 33 }, (_, index) => `a${index}`);
  const many = (count: number) => Object.fromEntries(names.slice(0, count).map((name) => [name, 'x'.repeat(1_024)]));
  accept({ action, app, arguments: many(32) });
  refuse({ action, app, arguments: many(33) }, 'arguments', t);
  for (const name of ['', '-a', '_a', '__proto__', '9', 'a=b', 'a b', 'ä', 'a'.repeat(65)]) {
    const hostile: unknown = JSON.parse(`{${JSON.stringify(name)}:"x"}`);
    refuse(
      { action, app, arguments: hostile },
      `arguments.${name === '' ? '(empty name)' : name.replace('ä', '?').slice(0, 64)}${name.length > 64 ? '...' : ''}`,
      t,
    );
  }
  for (const value of ['a\0', 'x'.repeat(1_025), '\ud800', 1, null, ['a']]) {
    refuse({ action, app, arguments: { a: value } }, 'arguments.a', t);
  }
  for (const value of [null, [], 'a=b', 1]) refuse({ action, app, arguments: value }, 'arguments', t);
});

t.test('a launch has a URL that may be opened', async (t) => {
  const action = 'launchApp';
  t.match(accept({ action, app, url: 'shop://basket?a=%20' }), { url: 'shop://basket?a=%20' });
  for (const url of ['', 'basket', 'javascript:1', 'https://', 'a b:c', `shop:${'a'.repeat(4_096)}`, 1, null]) {
    refuse({ action, app, url }, 'url', t);
  }
});

t.test('an installation names an uploaded app by its id', async (t) => {
  const action = 'installApp';
  const asset = 'ast_4kZ1bQx7RmT9vLs2WcHn0e';
  t.same(accept({ action, asset }), { action, asset, requestId: 'made', timeoutMs: 15_000 });
  for (const one of [
    '',
    'ast_',
    asset.slice(4),
    `${asset}/..`,
    `${asset}\n`,
    'ast_-',
    `ast_${'a'.repeat(61)}`,
    1,
    null,
  ]) {
    refuse({ action, asset: one }, 'asset', t);
  }
  refuse({ action }, 'asset', t);
});
