import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { visible, visibleJson } from '../../../client/cli/visible.ts';

/** Every character of the Basic Multilingual Plane, and the planes behind it that hold what is not seen. */
const all = [...Array(0x10000).keys(), ...Array.from({ length: 0x1000 }, (_, index) => 0xe0000 + index)];

t.test('no control, no direction and no format is left of a text', (t) => {
  const text = visible(all.map((point) => String.fromCodePoint(point)).join('|'));
  t.notMatch(text, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  for (const hidden of ['\u115f', '\u3164', '\uffa0', '\ufe0f', '\u034f', '\u{e0041}']) t.notOk(text.includes(hidden));
  t.equal(
    visible('\u001b[2J\r\n\u009b1m\u202eabc\u{e0041}\ud800'),
    '\\u{1b}[2J\\u{d}\\u{a}\\u{9b}1m\\u{202e}abc\\u{e0041}\\u{d800}',
  );
  t.equal(visible('Grüße, 世界 🙂 C:\\x'), 'Grüße, 世界 🙂 C:\\x', 'what is seen stays as it is');
  t.end();
});

t.test('JSON means the same, and has only what is seen in it', (t) => {
  const value = { '\u202ekey': all.map((point) => String.fromCodePoint(point)), nested: [{ a: '\u{e0041}\u001b' }] };
  const json = visibleJson(value);
  t.notMatch(json, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u);
  t.same(JSON.parse(json), value);
  t.equal(visibleJson({ a: '\u{e0041}\u007f' }), '{"a":"\\udb40\\udc41\\u007f"}');
  t.equal(visibleJson(undefined), 'null');
  t.end();
});

t.test('nothing else of the command line writes to a standard stream', (t) => {
  const sources = readdirSync('client/cli', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  t.ok(sources.length > 50);
  for (const name of sources.filter((name) => name !== 'write-out.ts')) {
    t.notMatch(readFileSync(join('client/cli', name), 'utf8'), /(?:stdout|stderr)\.write|console\./, name);
  }
  t.end();
});
