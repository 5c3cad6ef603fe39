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

t.test('a command that begins anew tells nothing a second time, and nothing is left out', async (t) => {
  const cursor = new LogcatCursor(1_764_362_400_000_100);
  const read = (...lines: readonly string[]) => lines.flatMap((line) => cursor.read(line)?.text ?? []);
  t.equal(cursor.begin().at(-1), '1764362400.000100');
  t.same(read(at(99, 'earlier session'), at(100, 'a'), at(200, 'b'), at(200, 'b')), ['a', 'b', 'b']);
  t.equal(cursor.begin().at(-1), '1764362400.000200');
  t.same(read(at(100, 'a'), at(200, 'b'), at(200, 'b'), at(200, 'b'), at(200, 'c'), at(300, 'd')), ['b', 'c', 'd']);
  t.same(read(at(250, 'late')), ['late'], 'the buffers are not in order');
  cursor.begin();
  cursor.begin();
  t.same(read(at(300, 'd'), at(301, 'e')), ['e']);
});
