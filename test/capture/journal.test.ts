import t from 'tap';
import { decodeJournal, encodeEntry, JOURNAL_ENTRY_BYTES, type JournalEntry } from '../../server/capture/journal.ts';

const ENTRIES: readonly JournalEntry[] = [
  { kind: 'sample', atUs: 0, key: true, bytes: 98_304, crc: 0xfedcba98 },
  { kind: 'sample', atUs: 16_667, key: false, bytes: 3, crc: 1 },
  { kind: 'alive', atUs: 500_000 },
  // Longer than 32 bits of microseconds: a recording of 20 hours.
  { kind: 'end', atUs: 72_000_000_000 },
];

const journal = (entries: readonly JournalEntry[] = ENTRIES) => Buffer.concat(entries.map(encodeEntry));

t.test('a journal tells what was written into it', async (t) => {
  t.strictSame(decodeJournal(journal()), ENTRIES);
  t.strictSame(decodeJournal(Buffer.alloc(0)), []);
});

t.test('an entry is laid out as its table says, byte by byte', async (t) => {
  const bytes = encodeEntry({ kind: 'sample', atUs: 0x0102_0304_0506, key: true, bytes: 0x11223344, crc: 0xaabbccdd });
  t.equal(bytes.length, JOURNAL_ENTRY_BYTES);
  t.equal(bytes.subarray(0, 20).toString('hex'), '01010000443322110605040302010000ddccbbaa');
});

t.test('a cut journal gives the entries before the cut, wherever it was cut', async (t) => {
  const whole = journal();
  for (let cut = 0; cut <= whole.length; cut++) {
    t.strictSame(
      decodeJournal(whole.subarray(0, cut)),
      ENTRIES.slice(0, Math.floor(cut / JOURNAL_ENTRY_BYTES)),
      `${cut} bytes`,
    );
  }
});

t.test('a flipped bit ends the journal before its entry, wherever it is', async (t) => {
  for (let bit = 0; bit < JOURNAL_ENTRY_BYTES * 8; bit++) {
    const bytes = journal();
    const at = JOURNAL_ENTRY_BYTES + (bit >> 3);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
    t.strictSame(decodeJournal(bytes), ENTRIES.slice(0, 1), `bit ${bit}`);
  }
});

t.test('a sample that was still being encoded when a later time was told takes nothing along', async (t) => {
  const sample = (atUs: number): JournalEntry => ({ kind: 'sample', atUs, key: false, bytes: 3, crc: 1 });
  const entries = [sample(0), { kind: 'alive', atUs: 500_000 }, sample(490_000), sample(510_000)] as const;
  const whole = [...entries, { kind: 'alive', atUs: 1_000_000 }, { kind: 'end', atUs: 1_200_000 }] as const;
  t.strictSame(decodeJournal(journal(whole)), whole);
  for (const back of [sample(509_999), { kind: 'alive', atUs: 509_999 }, { kind: 'end', atUs: 499_999 }] as const) {
    t.strictSame(decodeJournal(journal([...entries, back])), entries, `${back.kind} at ${back.atUs}`);
  }
});

t.test('time that goes back and entries of no kind end the journal', async (t) => {
  t.strictSame(
    decodeJournal(
      journal([
        { kind: 'alive', atUs: 5 },
        { kind: 'alive', atUs: 4 },
      ]),
    ),
    [{ kind: 'alive', atUs: 5 }],
  );
  t.strictSame(decodeJournal(Buffer.alloc(JOURNAL_ENTRY_BYTES * 3)), [], 'zeros, as a power cut leaves them');
});
