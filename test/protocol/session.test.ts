import t from 'tap';
import { checkCreateSession } from '../../protocol/index.ts';

const ok = (body: unknown) => {
  const checked = checkCreateSession(body);
  if (!checked.ok) throw new Error(`${checked.fault.path} ${checked.fault.message}`);
  return checked.value;
};
const pathOf = (body: unknown): string | undefined => {
  const checked = checkCreateSession(body);
  return checked.ok ? undefined : checked.fault.path;
};
const ios = (fields: object) => ({ platform: 'ios', ...fields });

t.test('a platform is enough; everything else has a default', async (t) => {
  t.same(ok({ platform: 'android' }), {
    platform: 'android',
    orientation: 'portrait',
    inactivityTimeoutMs: 600_000,
    hardTimeoutMs: 7_200_000,
    installAssets: [],
    embedOrigins: [],
    labels: {},
  });
});

t.test('a body without a known platform, or no object, is refused', async (t) => {
  for (const platform of ['iOS', 'windows', '', null, 1]) t.equal(pathOf({ platform }), 'platform');
  t.equal(pathOf({}), 'platform');
  for (const body of [null, undefined, [], 'ios', 1]) t.equal(typeof pathOf(body), 'string');
});

t.test('an unknown field is refused by its name', async (t) => {
  t.equal(pathOf(ios({ device: 'x' })), 'device');
});

t.test('the inactivity timeout is from 30 s to 24 h', async (t) => {
  for (const inactivityTimeout of ['30s', '30000ms', '24h', '1440m']) ok(ios({ inactivityTimeout }));
  for (const inactivityTimeout of ['29s', '29999ms', '25h', '86400001ms', '', '10', 600, null, '1.5h']) {
    t.equal(pathOf(ios({ inactivityTimeout })), 'inactivityTimeout', String(inactivityTimeout));
  }
});

t.test('the hard timeout is from 1 min to 24 h', async (t) => {
  for (const hardTimeout of ['1m', '60s', '24h']) ok(ios({ hardTimeout }));
  for (const hardTimeout of ['59s', '59999ms', '25h', 'never', 60]) {
    t.equal(pathOf(ios({ hardTimeout })), 'hardTimeout', String(hardTimeout));
  }
  t.equal(ok(ios({ hardTimeout: '90m' })).hardTimeoutMs, 5_400_000);
});

t.test('a session starts in an orientation that its platform has', async (t) => {
  t.equal(pathOf(ios({ orientation: 'portrait_upside_down' })), 'orientation');
  t.equal(ok({ platform: 'android', orientation: 'portrait_upside_down' }).orientation, 'portrait_upside_down');
});

t.test('an origin has a scheme and a host and no path', async (t) => {
  ok(ios({ embedOrigins: ['https://example.com', 'http://localhost:3000'] }));
  for (const origin of [
    'https://example.com/',
    'example.com',
    '*',
    'null',
    'https://',
    'https://a b',
    'javascript:1',
  ]) {
    t.equal(pathOf(ios({ embedOrigins: [origin] })), 'embedOrigins[0]', origin);
  }
});

t.test('an origin is kept as browsers write it', async (t) => {
  const embedOrigins = ['https://Example.com:443', 'http://LOCALHOST:80', 'http://A.example:8080'];
  t.same(ok(ios({ embedOrigins })).embedOrigins, ['https://example.com', 'http://localhost', 'http://a.example:8080']);
  for (const origin of ['https://example.com:99999', 'http://999.1.1.1']) {
    const refused = pathOf(ios({ embedOrigins: ['https://example.com', origin] }));
    t.equal(refused, 'embedOrigins[1]', origin);
  }
});

t.test('lists and labels are bounded', async (t) => {
  const labels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`l${index}`, 'x']));
  ok(ios({ labels: labels(32), installAssets: Array(32).fill('ast_x'), embedOrigins: Array(16).fill('http://a') }));
  t.equal(pathOf(ios({ labels: labels(33) })), 'labels');
  t.equal(pathOf(ios({ installAssets: Array(33).fill('ast_x') })), 'installAssets');
  t.equal(pathOf(ios({ embedOrigins: Array(17).fill('http://a') })), 'embedOrigins');
});

t.test('a label has a plain name and a text of 1 to 128 characters', async (t) => {
  ok(ios({ labels: { 'team/ci.run_1': 'x'.repeat(128) } }));
  t.equal(pathOf(ios({ labels: { a: '' } })), 'labels.a');
  t.equal(pathOf(ios({ labels: { a: 'x'.repeat(129) } })), 'labels.a');
  t.equal(pathOf(ios({ labels: { 'a b': 'x' } })), 'labels.a b');
  t.equal(pathOf(JSON.parse('{"platform":"ios","labels":{"__proto__":"x"}}')), 'labels.__proto__');
});

t.test(
  'a misspelt field is named together with the known ones, also where a field is absent because of it',
  async (t) => {
    t.match(checkCreateSession({ platfrom: 'ios' }), {
      ok: false,
      fault: {
        path: 'platfrom',
        message: /^is not a known field; the fields are platform, deviceModel, .*, historyTexts, historyElements$/,
      },
    });
  },
);
