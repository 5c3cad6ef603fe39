import t from 'tap';
import type { MemoryUse } from '../../../bench/processes/memory-use.ts';
import {
  type SocketFigures,
  type StepFigures,
  socketFigures,
  stepFigures,
} from '../../../bench/scenarios/idle/figures.ts';
import { idle } from '../../../bench/scenarios/idle/idle.ts';
import { COUNTS, KINDS, type Kind, SOCKET_ROWS, stepName } from '../../../bench/scenarios/idle/rows.ts';
import { weighSockets } from '../../../bench/scenarios/idle/socket-bed.ts';
import { StepBed } from '../../../bench/scenarios/idle/step-bed.ts';
import { SOCKET_COMPARISONS, STEP_COMPARISONS } from '../../../bench/scenarios/idle/targets.ts';

const options = { seconds: 0.02, rounds: 1, layouts: ['two-cores'], progress: () => undefined } as const;

t.test('every comparison names two rows that are measured', async (t) => {
  const sockets: readonly string[] = Object.values(SOCKET_ROWS);
  for (const { of, to } of SOCKET_COMPARISONS) t.ok(sockets.includes(of) && sockets.includes(to), `${of} / ${to}`);
  const steps = (Object.keys(KINDS) as Kind[]).flatMap((kind) => COUNTS.map((count) => stepName(kind, count)));
  for (const { of, to } of STEP_COMPARISONS) t.ok(steps.includes(of) && steps.includes(to), `${of} / ${to}`);
});

t.test('idle control sockets are opened and weighed, and cost something', async (t) => {
  const figures = await weighSockets('service', 700, 50);
  t.equal(figures.sockets, 500);
  t.ok(figures.heapBytes > 200 && figures.heapBytes < 20_000, `${figures.heapBytes} bytes`);
  t.ok(figures.cpuUs >= 0);
});

t.test(
  'sessions, viewers and pending interactions are weighed at each count; a still screen sends nothing',
  async (t) => {
    const bed = await StepBed.open(50, [1, 3]);
    t.teardown(() => bed.close());
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const steps = await bed.measure(kind);
      t.match(steps, [{ name: stepName(kind, 1) }, { name: stepName(kind, 3) }]);
      for (const { bytesPerSecond, heapKilobytes, rssKilobytes } of steps) {
        t.equal(bytesPerSecond, 0, kind);
        t.ok(Number.isFinite(heapKilobytes) && Number.isFinite(rssKilobytes), kind);
      }
      // A session has the pixels of its screen.
      if (kind === 'session') t.ok((steps[1]?.heapKilobytes ?? 0) > 500, `${steps[1]?.heapKilobytes} KB`);
    }
  },
);

t.test('the bare sockets are measured alone', async (t) => {
  const { text, figures, missed } = await idle.run({ ...options, controlsOnly: true });
  const { sockets, steps } = figures as { sockets: readonly SocketFigures[]; steps: readonly StepFigures[] };
  t.same(
    sockets.map(({ name }) => name),
    [SOCKET_ROWS.uws, SOCKET_ROWS.ws],
  );
  t.same(steps, []);
  t.match(text, SOCKET_ROWS.ws);
  t.ok(missed.length > 0, 'targets of a service that was not measured are missed');
});

const use = (rssBytes: number, mainHeapBytes: number, threadHeapBytes: number): MemoryUse => ({
  rssBytes,
  mainHeapBytes,
  threadHeapBytes,
  threads: 1,
  handles: 1,
  files: 1,
  children: 0,
});

t.test('the cost of one is the growth of the server, divided by the number', async (t) => {
  const before = { use: use(1_000, 500, 300), cpuUs: 0, bytes: 0, seconds: 1 };
  const after = { use: use(21_000, 4_500, 2_300), cpuUs: 400, bytes: 40, seconds: 2 };
  t.match(socketFigures('a', 10, before.use, after), { rssBytes: 2_000, heapBytes: 400, cpuUs: 20 });
  t.match(stepFigures('viewer', 10, before, after), {
    name: 'viewer of a still screen, 10',
    rssKilobytes: 2,
    heapKilobytes: 0.6,
    cpuMsPerSecond: 0.2,
    bytesPerSecond: 20,
  });
});
