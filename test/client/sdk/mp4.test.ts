import fc from 'fast-check';
import t from 'tap';
import { Mp4Scan, mp4Fault } from '../../../client/sdk/mp4.ts';
import { box, largeBox, mp4 } from '../../support/files.ts';

t.test('whole files pass: with the index first or last, in fragments, with sizes of 64 bits or to the end', (t) => {
  const [ftyp, moov, mdat] = [box('ftyp'), box('moov'), box('mdat', Buffer.alloc(9))];
  const toTheEnd = Buffer.concat([Buffer.from([0, 0, 0, 0]), Buffer.from('mdat'), Buffer.alloc(77)]);
  for (const boxes of [
    [ftyp, moov, mdat],
    [ftyp, mdat, moov],
    [ftyp, box('free'), moov, box('moof'), mdat, box('moof'), mdat, box('mfra')],
    [ftyp, moov, largeBox('mdat', Buffer.alloc(300))],
    [ftyp, moov, toTheEnd],
  ]) {
    t.equal(mp4Fault(Buffer.concat(boxes)), undefined);
  }
  t.end();
});

t.test('the reason why a file is no MP4 is named', (t) => {
  const [ftyp, moov, mdat] = [box('ftyp'), box('moov'), box('mdat')];
  const small = Buffer.concat([Buffer.from([0, 0, 0, 7]), Buffer.from('mdat')]);
  const cases: [string, Buffer, RegExp][] = [
    ['nothing', Buffer.alloc(0), /no ftyp/],
    ['another file', Buffer.from('<html>not found</html>'), /begin with an ftyp/],
    ['no index', Buffer.concat([ftyp, mdat]), /no moov/],
    ['no data', Buffer.concat([ftyp, moov]), /no mdat/],
    ['two indexes', Buffer.concat([ftyp, moov, moov, mdat]), /two moov/],
    ['another order', Buffer.concat([moov, ftyp, mdat]), /begin with an ftyp/],
    ['a size that cannot be', Buffer.concat([ftyp, moov, small]), /smaller than its own head/],
    ['a box cut off', mp4().subarray(0, -1), /cut off/],
    ['a head cut off', Buffer.concat([mp4(), Buffer.from([0, 0, 0])]), /cut off/],
  ];
  for (const [name, bytes, fault] of cases) t.match(mp4Fault(bytes), fault, name);
  t.end();
});

t.test('the verdict does not depend on how the bytes arrive', (t) => {
  const files = [
    mp4(Buffer.alloc(60)),
    Buffer.concat([box('ftyp'), largeBox('moov', Buffer.alloc(20)), box('mdat')]),
    mp4(Buffer.alloc(60)).subarray(0, 70),
    Buffer.from('no MP4 at all'),
  ];
  fc.assert(
    fc.property(fc.constantFrom(...files), fc.array(fc.integer({ min: 1, max: 20 })), (file, sizes) => {
      const scan = new Mp4Scan();
      let position = 0;
      for (const size of [...sizes, file.length]) {
        scan.push(file.subarray(position, position + size));
        position += size;
      }
      return scan.end() === mp4Fault(file);
    }),
  );
  t.end();
});
