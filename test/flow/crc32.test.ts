import fc from 'fast-check';
import t from 'tap';
import { crc32, crc32OfAscii } from '../../server/flow/crc32.ts';

t.test('the catalogue of CRCs gives these check values for CRC-32', async (t) => {
  t.equal(crc32OfAscii('123456789'), 0xcbf43926);
  t.equal(crc32OfAscii(''), 0);
});

t.test('zlib computes the same, where Node has it', async (t) => {
  const zlib = await import('node:zlib');
  if (typeof zlib.crc32 !== 'function') return t.comment('this Node has no zlib.crc32');
  const ascii = fc.string({ unit: 'binary-ascii', maxLength: 200 });
  fc.assert(fc.property(ascii, (text) => crc32OfAscii(text) === zlib.crc32(text)));
  const bytes = fc.uint8Array({ maxLength: 2_000 });
  fc.assert(fc.property(bytes, (each) => crc32(each) === zlib.crc32(each)));
});
