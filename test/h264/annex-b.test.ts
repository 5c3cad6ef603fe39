import t from 'tap';
import { unitsOf } from '../../server/h264/annex-b.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');
const units = (text: string) => unitsOf(hex(text)).map((unit) => Buffer.from(unit).toString('hex'));

t.test('units stand behind start codes of three or four bytes, and zeros between them are of neither', async (t) => {
  t.same(units('00000001 6742 000001 68ce 00000001 65b8'), ['6742', '68ce', '65b8']);
  t.same(units('000001 41 0000 00000001 42'), ['41', '42']);
  t.same(units('00000001 000001 67 0000'), ['67'], 'an empty one is none');
  t.same(units('000001 01 000003 01'), ['0100000301'], 'an escape is kept');
});

t.test('bytes that do not begin with a start code are refused', async (t) => {
  for (const text of ['', '00', '6742', 'ff 000001 67', '0000 00000001 67', '000000']) {
    t.throws(() => units(text), RangeError, text);
  }
});
