import type { LogPage, LogQuery } from '@runcloud/protocol';
import t from 'tap';
import { DeviceLogReader } from '../../server/host/device-logs.ts';
import { LogRing } from '../../server/host/log-ring.ts';

const line = (text: string, more: object = {}) => ({
  wallMs: 1_700_000_000_123,
  level: 'info' as const,
  process: 'app',
  text,
  ...more,
});

const read = (ring: LogRing, order: Partial<LogQuery> = {}): LogPage =>
  JSON.parse(ring.read({ after: 0, limit: 1_000, ...order }).json) as LogPage;

t.test('600,000 lines, a minute of 10,000 a second, are told once and in order, or counted as lost', async (t) => {
  const ring = new LogRing();
  let after = 0;
  let told = 0;
  let lost = 0;
  const take = () => {
    const page = read(ring, { after });
    lost += page.lost ?? 0;
    let expected = after + (page.lost ?? 0);
    for (const { seq, text } of page.entries) {
      if (seq !== ++expected || text !== `line ${seq}`) t.fail(`${seq} "${text}" in the place of ${expected}`);
    }
    told += page.entries.length;
    after = page.next;
    return page.more;
  };
  for (let at = 1; at <= 600_000; at++) {
    ring.add(line(`line ${at}`));
    // A reader that is too slow at first, and keeps up later.
    if (at % (at < 300_000 ? 15_000 : 900) === 0) take();
  }
  while (take()) {}
  t.equal(told + lost, 600_000);
  t.ok(lost > 200_000 && told > 300_000, `${told} told, ${lost} lost`);
  t.same(read(ring, { after }), { entries: [], next: 600_000, more: false });
});

t.test('memory is bounded whatever the lines are, and nothing keeps a long text as a whole', async (t) => {
  global.gc?.();
  const before = process.memoryUsage().heapUsed;
  const ring = new LogRing();
  const long = 'x'.repeat(1_000_000);
  for (let at = 0; at < 2_000; at++) ring.add(line(`${at} ${long}`));
  const { entries, lost, more } = read(ring);
  t.match([lost, more], [2_000 - 1_023, true]);
  t.ok(JSON.stringify(entries).length < 300_000, 'a page is short too');
  t.match(entries[0], { truncated: true, text: /^977 x+$/ });
  t.equal(entries[0]?.text.length, 4_096);
  global.gc?.();
  if (global.gc) t.ok(process.memoryUsage().heapUsed - before < 30_000_000);
});

t.test('hostile texts are kept as they are, but for half characters, and the page stays JSON', async (t) => {
  const ring = new LogRing();
  const texts = ['\u001b[2J\u001b]0;title\u0007', 'a\r\nb\0c', '","seq":9}', '\u202e\u2028', ''];
  for (const text of [...texts, 'half \ud83d', `${'a'.repeat(4_095)}😀`]) ring.add(line(text));
  ring.add(line('late', { wallMs: 8.64e15 }));
  ring.add(line('never', { wallMs: Number.NaN, process: 'p'.repeat(9_999) }));
  const { entries } = read(ring);
  t.same(
    entries.map(({ text }) => text),
    [...texts, 'half \ufffd', 'a'.repeat(4_095), 'late', 'never'],
  );
  t.same([...new Set(entries.map(({ at }) => at))], ['2023-11-14T22:13:20.123Z', '1970-01-01T00:00:00.000Z']);
  t.equal(entries.at(-1)?.process.length, 256);
});

t.test('lines are chosen by level and process, and the cursor passes over the others', async (t) => {
  const ring = new LogRing();
  for (const level of ['verbose', 'debug', 'info', 'warning', 'error', 'fatal'] as const) {
    ring.add(line(level, { level, process: level === 'error' ? 'other' : 'app', pid: 7 }));
  }
  const texts = (order: Partial<LogQuery>) => read(ring, order).entries.map(({ text }) => text);
  t.same(texts({ level: 'warning' }), ['warning', 'error', 'fatal']);
  t.same(texts({ level: 'warning', process: 'app' }), ['warning', 'fatal']);
  t.match(read(ring, { process: 'none' }), { entries: [], next: 6, more: false });
  t.match(read(ring, { limit: 2 }), { next: 2, more: true, entries: [{ pid: 7 }, {}] });
  t.same(read(ring, { after: 99 }), { entries: [], next: 99, more: false }, 'a cursor of the future');
});

t.test('a device is followed from the first read on, once', async (t) => {
  let followed = 0;
  const logs = {
    follow: (take: (told: ReturnType<typeof line>) => void) => {
      followed++;
      take(line('known before'));
    },
  };
  const reader = new DeviceLogReader({ logs });
  t.equal(followed, 0);
  const order = { after: 0, limit: 5 };
  t.match(JSON.parse((await reader.read(order)).json), { entries: [{ text: 'known before' }], next: 1 });
  await reader.read(order);
  t.equal(followed, 1);
  await t.rejects(new DeviceLogReader({}).read(order), { message: /not supported/ });
});
