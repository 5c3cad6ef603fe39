import t from 'tap';
import type { CrashLine } from '../../../../server/device/logs.ts';
import { CrashBlocks } from '../../../../server/drivers/android/guest/crash-blocks.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

function open() {
  const clock = new FakeClock();
  const crashes: CrashLine[] = [];
  const blocks = new CrashBlocks(clock, (crash) => crashes.push(crash));
  const says = (process: string, pid: number, ...texts: readonly string[]) => {
    for (const text of texts) blocks.read({ timeUs: 5_000, wallMs: 5, level: 'error', process, pid, text });
  };
  return { clock, crashes, blocks, says };
}

const JAVA = [
  'FATAL EXCEPTION: main',
  'Process: com.a.shop, PID: 77',
  'java.lang.RuntimeException: boom',
  '\tat a.b(C.java:1)',
];
const NATIVE = [
  '*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***',
  "Build fingerprint: 'a/b/c'",
  'pid: 88, tid: 90, name: worker  >>> com.a.game:render <<<',
  'signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0',
  'backtrace:',
  '      #00 pc 0000000000001234  /data/app/lib.so (crash+8)',
];

t.test('reports of several processes are told apart, each as a whole and once', async (t) => {
  const { clock, crashes, says } = open();
  says('libc', 88, 'Fatal signal 11 (SIGSEGV) in tid 90 (worker), pid 88');
  says('AndroidRuntime', 77, ...JAVA.slice(0, 2));
  says('DEBUG', 200, ...NATIVE.slice(0, 3));
  await clock.advance(400);
  says('AndroidRuntime', 77, ...JAVA.slice(2));
  says('DEBUG', 200, ...NATIVE.slice(3));
  await clock.advance(400);
  t.same(crashes, [], 'more may come');
  await clock.advance(200);
  t.same(crashes, [
    { wallMs: 5, process: 'com.a.shop', pid: 77, text: JAVA[2], report: JAVA.join('\n'), isLong: false },
    { wallMs: 5, process: 'com.a.game:render', pid: 88, text: NATIVE[3], report: NATIVE.join('\n'), isLong: false },
  ]);
  says('AndroidRuntime', 77, '\tat late(D.java:2)');
  await clock.advance(1_000);
  t.equal(crashes.length, 2, 'no report without its begin');
});

t.test('a process that crashes again has two reports, and an endless one is cut', async (t) => {
  const { clock, crashes, blocks, says } = open();
  says('AndroidRuntime', 77, ...JAVA, ...JAVA);
  t.equal(crashes.length, 1);
  says('AndroidRuntime', 77, ...Array.from({ length: 20_000 }, () => '\tat a.b(C.java:1)'));
  await clock.advance(1_000);
  t.match(crashes[1], { process: 'com.a.shop', isLong: true });
  t.ok((crashes[1]?.report.length ?? 0) <= 32_768);
  says('AndroidRuntime', 78, 'FATAL EXCEPTION: main');
  for (let pid = 100; pid < 107; pid++) says('AndroidRuntime', pid, ...JAVA);
  t.equal(crashes.length, 2);
  says('AndroidRuntime', 107, ...JAVA);
  t.match(crashes[2], { process: 'AndroidRuntime', pid: 78, text: 'FATAL EXCEPTION: main' }, 'the oldest makes room');
  blocks.close();
  t.equal(clock.waiting, 0);
});
