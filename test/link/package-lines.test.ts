import t from 'tap';
import type { AppPackage } from '../../server/device/app-package.ts';
import { type PackageAnswer, packageLine, readPackageLine } from '../../server/link/package-lines.ts';

const ios: AppPackage = {
  platform: 'ios',
  identifier: 'com.example.a',
  name: 'A\n"É"',
  version: '1',
  icon: new Uint8Array([0, 255, 10]),
  urlSchemes: ['a'],
  linkedHosts: [],
};
const android: AppPackage = {
  platform: 'android',
  identifier: 'com.example.b',
  name: 'B',
  version: '',
  activities: [{ name: 'x.Y', filters: [{ schemes: ['b'], authorities: [], paths: [], autoVerify: false }] }],
};
const checksum = '0123456789abcdef'.repeat(4);

t.test('every answer comes through as it was, on one line', (t) => {
  const answers: PackageAnswer[] = [
    { kind: 'ready' },
    { kind: 'read', call: 1, read: { checksum, app: ios } },
    { kind: 'read', call: 2, read: { checksum, app: android }, last: true },
    { kind: 'refused', call: 3, message: 'It is no app.' },
    { kind: 'failed', call: 4, message: 'EIO', last: true },
  ];
  for (const answer of answers) {
    const line = packageLine(answer);
    t.notMatch(line, /\n/);
    t.strictSame(readPackageLine(line), answer);
  }
  t.end();
});

t.test('a line that is no valid answer is refused, since the package may have caused it', (t) => {
  const read = (more: object) => JSON.stringify({ kind: 'read', call: 1, read: { checksum, app: ios, ...more } });
  const { urlSchemes: _, ...bare } = ios as typeof ios & { platform: 'ios' };
  for (const line of [
    'no JSON',
    'null',
    '{}',
    '{"kind":"read"}',
    '{"kind":"read","call":"1"}',
    '{"kind":"read","call":1}',
    '{"kind":"other","call":1,"message":""}',
    '{"kind":"refused","call":1}',
    read({ checksum: '../../../../home/x' }),
    read({ checksum: checksum.toUpperCase() }),
    read({ app: { ...ios, platform: 'none' } }),
    read({ app: { ...ios, name: 1 } }),
    read({ app: bare }),
    read({ app: null }),
    read({ icon: {} }),
  ]) {
    t.throws(() => readPackageLine(line), line);
  }
  t.end();
});
