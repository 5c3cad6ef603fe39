import t from 'tap';
import {
  LogcatCursor,
  logcatSince,
  readDeviceTime,
  readLogcatLine,
} from '../../../../server/drivers/android/guest/logcat.ts';

t.test('a line is read in all of its parts', async (t) => {
  t.same(readLogcatLine('         1764362400.012345  1234  1250 W ActivityTaskManager: a: b : c'), {
    ...{ timeUs: 1_764_362_400_012_345, wallMs: 1_764_362_400_012, level: 'warning' },
    ...{ process: 'ActivityTaskManager', pid: 1_234, text: 'a: b : c' },
  });
  const levels = ['V', 'D', 'I', 'W', 'E', 'F'].map((letter) => {
    return readLogcatLine(`1764362400.000001     1     2 ${letter} ab      : `);
  });
  t.same(
    levels.map((line) => [line?.level, line?.process, line?.text]),
    ['verbose', 'debug', 'info', 'warning', 'error', 'fatal'].map((level) => [level, 'ab', '']),
  );
  t.equal(readLogcatLine('1764362400.000001 1 2 I         : \u001b[31mred\t ')?.text, '\u001b[31mred\t ');
  for (const other of [
    '--------- beginning of main',
    '',
    '1764362400.000001 1 2 I no end of the tag',
    '1764362400.000001 1 2 S silent: x',
    '11-28 21:00:00.000  1  2 I tag: another format',
    'logcat: Invalid parameter "epoch" to -v',
  ]) {
    t.equal(readLogcatLine(other), undefined, other);
  }
});

t.test('the time of the device is read, and rounded up where it is not exact', async (t) => {
  t.equal(readDeviceTime('1764362400.012345678\n'), 1_764_362_400_012_345);
  for (const coarse of ['1764362400\n', '1764362400.N\n', '1764362400.%N\n']) {
    t.equal(readDeviceTime(coarse), 1_764_362_401_000_000, coarse);
  }
  for (const none of ['', 'date: bad date\n', 'Sat Nov 28\n', '-1.000000000', '+%s.%N'])
    t.equal(readDeviceTime(none), undefined, none);
  t.equal(logcatSince(1_764_362_400_000_045).at(-1), '1764362400.000045');
});

const at = (us: number, text: string) => `1764362400.${String(us).padStart(6, '0')} 1 1 I tag: ${text}`;

/** What a cursor reads, and how often it has found that lines are missing. */
function cursorSince(us: number) {
  const found = { gaps: 0 };
  const cursor = new LogcatCursor(1_764_362_400_000_000 + us, () => {
    found.gaps++;
  });
  const begin = (nowUs?: number) =>
    cursor.begin(nowUs === undefined ? undefined : 1_764_362_400_000_000 + nowUs).at(-1);
  const read = (...lines: readonly string[]) => lines.flatMap((line) => cursor.read(line)?.text ?? []);
  return { found, begin, read };
}

t.test('a command that begins anew tells nothing a second time, and nothing is left out', async (t) => {
  const { found, begin, read } = cursorSince(100);
  t.equal(begin(100), '1764362400.000100');
  t.same(read(at(99, 'earlier session'), at(100, 'a'), at(200, 'b'), at(200, 'b')), ['a', 'b', 'b']);
  t.equal(begin(500), '1764362400.000200');
  t.same(read(at(100, 'a'), at(200, 'b'), at(200, 'b'), at(200, 'b'), at(200, 'c'), at(300, 'd')), ['b', 'c', 'd']);
  t.same(read(at(250, 'late')), ['late'], 'the buffers are not in order');
  begin(600);
  begin();
  t.same(read(at(300, 'd'), at(301, 'e')), ['e']);
  t.equal(found.gaps, 0);
});

t.test('lines that the device has let go of are missed by whoever reads on', async (t) => {
  const { found, begin, read } = cursorSince(0);
  begin(0);
  t.same(read(at(10, 'a'), at(20, 'b')), ['a', 'b']);
  begin(900);
  t.same(read(at(20, 'b'), at(30, 'c')), ['c']);
  t.equal(found.gaps, 0);
  begin(999);
  t.same(read(at(500, 'x'), at(501, 'y')), ['x', 'y']);
  t.equal(found.gaps, 1, 'once');
});

t.test('a clock that is set back silences nothing', async (t) => {
  const { found, begin, read } = cursorSince(0);
  const later = (seconds: number, text: string) => `${1_764_362_400 + seconds}.000000 1 1 I tag: ${text}`;
  begin(0);
  t.same(read(later(-3_600, 'earlier session'), later(100, 'a'), later(-7_200, 'b'), later(-7_199, 'c')), [
    'a',
    'b',
    'c',
  ]);
  t.equal(begin(-7_100e6), `${String(1_764_362_400 - 7_199)}.000000`);
  t.same(read(later(-7_199, 'c'), later(-7_000, 'd')), ['d']);
  t.equal(found.gaps, 0);
  t.equal(begin(-9_000e6), `${String(1_764_362_400 - 9_000)}.000000`, 'and while nobody reads');
  t.equal(found.gaps, 1);
  t.same(read(later(-8_999, 'e')), ['e']);
});

t.test('lines of a clock without fractions are told apart in time that grows with them', async (t) => {
  const { begin, read } = cursorSince(0);
  const lines = Array.from({ length: 10_000 }, (_, number) => at(7, `line ${number}`));
  begin(0);
  t.equal(read(...lines).length, 10_000);
  begin(8);
  t.same(read(...lines.reverse(), at(7, 'one more'), at(8, 'next')), ['one more', 'next']);
});
