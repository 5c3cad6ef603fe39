import t from 'tap';
import { mediaTypeOf } from '../../server/asset/media-type.ts';

const box = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0`, 'latin1');

t.test('pictures and videos are known by their first bytes, and nothing else is', async (t) => {
  const of = (text: string) => mediaTypeOf(Buffer.from(text, 'latin1'));
  t.equal(of('\xff\xd8\xff\xe0 and more'), 'image/jpeg');
  t.equal(of('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 'image/png');
  t.equal(of('GIF89a..........'), 'image/gif');
  t.equal(of('RIFF\0\0\0\0WEBPVP8 '), 'image/webp');
  t.equal(mediaTypeOf(box('heic')), 'image/heic');
  t.equal(mediaTypeOf(box('isom')), 'video/mp4');
  t.equal(mediaTypeOf(box('qt  ')), 'video/quicktime');
  for (const other of ['', 'RIFF\0\0\0\0AVI ', '%PDF-1.7', '<svg ', 'PK\x03\x04', '\x89PNG', '\0\0\0\x18ftypxxxx']) {
    t.equal(of(other), undefined, JSON.stringify(other));
  }
});
