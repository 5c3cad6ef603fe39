import t from 'tap';
import { checkCreateKey, faultSentence, LIMITS } from '../../protocol/index.ts';

t.test('a key has a name, and a life where one is wanted', async (t) => {
  t.strictSame(checkCreateKey({ name: 'CI' }), { ok: true, value: { name: 'CI' } });
  t.strictSame(checkCreateKey({ name: 'CI', ttl: '60s' }), { ok: true, value: { name: 'CI', ttlMs: 60_000 } });
  t.match(checkCreateKey({ name: 'Büro ☕', ttl: '8760h' }), { ok: true, value: { ttlMs: LIMITS.keyTtlMs.max } });
});

t.test('anything else is refused by the name of the field', async (t) => {
  for (const [body, sentence] of [
    [undefined, /object/],
    [[], /object/],
    [{}, /^"name" is required/],
    [{ name: '' }, /^"name"/],
    [{ name: 'x'.repeat(65) }, /^"name"/],
    [{ name: 'two\nlines' }, /^"name"/],
    [{ name: 'c1 \u0085 control' }, /^"name"/],
    [{ name: 7 }, /^"name"/],
    [{ name: 'CI', ttl: 60 }, /^"ttl"/],
    [{ name: 'CI', ttl: '59s' }, /^"ttl" must be from 1m to 8760h/],
    [{ name: 'CI', ttl: '8761h' }, /^"ttl" must be from 1m to 8760h/],
    [{ name: 'CI', ttl: '1 day' }, /^"ttl" must be a duration/],
    [{ name: 'CI', scope: 'all' }, /^"scope" is not a known field/],
  ] as const) {
    const checked = checkCreateKey(body);
    t.match(checked.ok ? 'accepted' : faultSentence(checked.fault), sentence, JSON.stringify(body));
  }
});
