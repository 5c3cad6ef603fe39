import t from 'tap';
import { type SoakSample, soakTrends } from '../../../bench/scenarios/soak/figures.ts';
import { formatReport, sampleLine } from '../../../bench/scenarios/soak/report.ts';
import { soakFor } from '../../../bench/scenarios/soak/run.ts';

/** Short of what a run needs to judge memory and latency by their slopes; what is counted must be the same anyway. */
const MINUTES = 0.5;
const SIZE = { sessions: 4, recorded: 1, viewers: 8 } as const;

t.test('sessions, viewers, taps and recordings that come and go leave no handle, file, thread or child', async (t) => {
  const told: SoakSample[] = [];
  const samples = await soakFor(MINUTES, SIZE, (sample) => void told.push(sample));
  t.same(told, samples);
  t.ok(samples.length >= 4, `${samples.length} intervals`);
  // The first recording starts the thread that finishes them, and the first of everything opens what stays open. What an
  // interval leaves behind adds up; a connection of the bench's own that idles comes and goes.
  for (const figure of ['handles', 'files', 'children', 'threads'] as const) {
    const [, second = Number.NaN, ...later] = samples.map((each) => each[figure]);
    t.ok((later.at(-1) ?? Number.NaN) <= second + 1, `${figure}: ${second}, ${later}`);
  }
  for (const { rssMegabytes, mainHeapMegabytes, threadHeapMegabytes, tapP50Us, delayP50Ms, readyMs } of samples) {
    t.ok(rssMegabytes > mainHeapMegabytes + threadHeapMegabytes && mainHeapMegabytes > 1 && threadHeapMegabytes > 1);
    t.ok(tapP50Us > 0 && delayP50Ms > 0 && readyMs > 0);
  }
});

const sample = (minute: number, changed: Partial<SoakSample> = {}): SoakSample => ({
  minute,
  rssMegabytes: 400 + (minute % 3),
  mainHeapMegabytes: 20,
  threadHeapMegabytes: 60,
  handles: 4,
  files: 50,
  children: 0,
  threads: 2,
  tapP50Us: 300 + (minute % 5),
  tapP99Us: 900,
  delayP50Ms: 3,
  delayP99Ms: 9,
  perViewer: 30,
  readyMs: 100,
  ...changed,
});
const rising = (samples: readonly SoakSample[]) =>
  soakTrends(samples)
    .filter((trend) => trend.rising)
    .map(({ figure }) => figure);

t.test('a planted leak of memory, files or time is told by its name, and nothing else is', async (t) => {
  const minutes = Array.from({ length: 30 }, (_, minute) => minute);
  t.same(rising(minutes.map((minute) => sample(minute))), []);
  t.same(rising(minutes.map((minute) => sample(minute, { rssMegabytes: 400 + minute * 2 }))), ['rssMegabytes']);
  t.same(rising(minutes.map((minute) => sample(minute, { files: 50 + Math.floor(minute / 4) }))), ['files']);
  t.same(rising(minutes.map((minute) => sample(minute, { tapP50Us: 300 + minute * 10 }))), ['tapP50Us']);
});

t.test('growth in the first third of a run only is not a leak', async (t) => {
  const minutes = Array.from({ length: 30 }, (_, minute) => minute);
  t.same(rising(minutes.map((minute) => sample(minute, { mainHeapMegabytes: Math.min(20 + minute * 3, 48) }))), []);
});

t.test('every minute is a line of the report, every figure a trend', async (t) => {
  const samples = Array.from({ length: 30 }, (_, minute) => sample(minute, { children: Math.floor(minute / 3) }));
  const trends = soakTrends(samples);
  const text = formatReport(samples, trends);
  t.match(text, /child processes .*RISES/);
  t.match(text, /resident memory .*flat/);
  t.match(sampleLine(sample(3)), /minute 3\.0, RSS MB 400/);
  t.equal(text.split('\n').filter((line) => /^\d+\.0 /.test(line)).length, 30);
});
