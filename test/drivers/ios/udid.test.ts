import t from 'tap';
import { isUdid } from '../../../server/drivers/ios/udid.ts';

t.test('a UDID is an upper-case UUID and nothing around it', async (t) => {
  t.equal(isUdid('0A1B2C3D-0000-4E5F-8A9B-0123456789AB'), true);
  for (const text of [
    'booted',
    'all',
    '',
    '0a1b2c3d-0000-4e5f-8a9b-0123456789ab',
    ' 0A1B2C3D-0000-4E5F-8A9B-0123456789AB',
    '0A1B2C3D-0000-4E5F-8A9B-0123456789AB\n',
    '0A1B2C3D00004E5F8A9B0123456789AB',
    '--set',
  ]) {
    t.equal(isUdid(text), false, JSON.stringify(text));
  }
});
