import t from 'tap';
import { accept, refuse } from '../checks.ts';

const request = { action: 'sendPush', app: 'com.example.shop' };

t.test('a payload is an object with aps, and its copy has nothing of the caller in it', async (t) => {
  for (const payload of [
    { aps: {} },
    { aps: { alert: 'ü', badge: 3 }, own: [null, true, 1.5, { deep: 'x' }] },
    JSON.parse('{"aps":{},"__proto__":{"a":1}}'),
  ]) {
    const accepted = accept({ ...request, payload }) as { payload?: object };
    t.same(JSON.stringify(accepted.payload), JSON.stringify(payload));
    t.not(accepted.payload, payload);
  }
});

t.test('what JSON does not have is refused', async (t) => {
  for (const own of [Number.NaN, Infinity, new Uint8Array(2), new Date(0), 1n, undefined, new Map()]) {
    t.match(refuse({ ...request, payload: { aps: {}, own: [own] } }, 'payload', t).message, /^must be JSON/);
  }
});

t.test('bytes are counted as UTF-8, up to those that APNs takes', async (t) => {
  const around = '{"aps":{},"own":""}'.length;
  const of = (own: string) => ({ ...request, payload: { aps: {}, own } });
  accept(of('x'.repeat(4_096 - around)));
  t.equal(refuse(of('x'.repeat(4_097 - around)), 'payload', t).message, 'must be at most 4096 bytes of JSON');
  refuse(of('ü'.repeat(2_049 - 9)), 'payload', t);
});

t.test('other payloads are named', async (t) => {
  for (const payload of [undefined, null, 'x', 1, []]) refuse({ ...request, payload }, 'payload', t);
  for (const aps of [undefined, null, 'x', 1, []]) refuse({ ...request, payload: { aps } }, 'payload.aps', t);
});
