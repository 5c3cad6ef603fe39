import fc from 'fast-check';
import t from 'tap';
import { isUtf8 } from '../../server/wire/utf8.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The verdict of the platform's own decoder. */
function decodes(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

t.test('every sequence of one or two bytes is judged as the platform judges it', async (t) => {
  let differences = 0;
  for (let first = 0; first < 256; first++) {
    for (let second = 0; second < 256; second++) {
      const bytes = Uint8Array.of(first, second);
      if (isUtf8(bytes, 0, 2) !== decodes(bytes)) differences++;
    }
    if (isUtf8(Uint8Array.of(first), 0, 1) !== decodes(Uint8Array.of(first))) differences++;
  }
  t.equal(differences, 0);
});

t.test('longer sequences around every border are judged as the platform judges them', async (t) => {
  const edges = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xff];
  for (const lead of [0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff]) {
    let differences = 0;
    for (const second of edges) {
      for (const third of edges) {
        for (const tail of [[], ...edges.map((fourth) => [fourth])]) {
          const bytes = Uint8Array.of(lead, second, third, ...tail);
          if (isUtf8(bytes, 0, bytes.length) !== decodes(bytes)) differences++;
        }
      }
    }
    t.equal(differences, 0, `after 0x${lead.toString(16)}`);
  }
});

t.test('any bytes are judged as the platform judges them', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => isUtf8(bytes, 0, bytes.length) === decodes(bytes)),
    { numRuns: 5_000 },
  );
});

t.test('any text is UTF-8, and only the given part is looked at', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = new TextEncoder().encode(text);
      return isUtf8(Uint8Array.of(0xff, ...bytes, 0xff), 1, bytes.length + 1);
    }),
  );
});
