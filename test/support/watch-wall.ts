import { readdirSync, readFileSync } from 'node:fs';
import type { Test } from 'tap';
import { cpuTimeUs } from '../../bench/processes/cpu-time.ts';
import { readMetrics, screenCounts } from './prometheus.ts';
import { RestClient } from './rest-client.ts';
import { ScreenWatcher } from './screen-watcher.ts';
import { TEST_KEY } from './server.ts';
import { serverProgram, temporaryDataDir } from './server-process.ts';

/** The profile of the dashboard's wall, and of each other one that is open. */
const PROFILE = { encodings: ['h264'], maxFps: 10, maxLongEdge: 320 };
const WALLS = 2;
/** The app Motion on the home screen of the virtual iPhone: its picture is always in motion. */
const MOTION = { action: 'tap', x: 0.388, y: 0.32 };

export interface WallFigures {
  /** Cores that all processes of the service kept busy. */
  readonly cores: number;
  /** Pictures a second of each session, as their encoders made them. */
  readonly picturesPerSecond: number;
}

/** Watches moving sessions as two open walls do, and proves that a session's pictures are encoded once for both. */
export async function watchWall(t: Test, sessions: number, seconds: number): Promise<WallFigures> {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const program = serverProgram(dataDir.path, {
    RUNCLOUD_API_KEY: TEST_KEY,
    RUNCLOUD_RATE_LIMIT: 'off',
    RUNCLOUD_DEVICES: `virtual-ios:${sessions}`,
  });
  t.teardown(() => program.signal('SIGKILL'));
  const rest = new RestClient(await program.ready(), TEST_KEY);
  const watchers: ScreenWatcher[] = [];
  for (let count = 0; count < sessions; count++) {
    const session = await rest.createSession('ios');
    await rest.call('POST', `/service/ios/${session.id}/interactions`, MOTION);
    for (let wall = 0; wall < WALLS; wall++) {
      const watcher = await ScreenWatcher.connect(rest.url, session, { origin: rest.url });
      watcher.send({ type: 'screen.start', ...PROFILE });
      watchers.push(watcher);
    }
  }
  for (const watcher of watchers) await watcher.until('a picture', () => watcher.packets.length > 0);
  const before = await readMetrics(rest.url);
  const startCpuUs = treeCpuUs(program.pid);
  const startMs = performance.now();
  const seen = watchers.map(({ packets }) => packets.length);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const tookMs = performance.now() - startMs;
  const cores = (treeCpuUs(program.pid) - startCpuUs) / 1_000 / tookMs;
  const { encodings, packets, leftOut } = screenCounts(await readMetrics(rest.url), before, 'h264');
  const picturesPerSecond = encodings / sessions / (tookMs / 1_000);
  t.comment(
    `${sessions} sessions on ${WALLS} walls: ${picturesPerSecond.toFixed(1)} pictures a second of each, ` +
      `${cores.toFixed(2)} cores of the service`,
  );
  t.ok(
    watchers.every(({ packets: now }, index) => now.length > (seen[index] ?? 0)),
    'no tile stands still',
  );
  // With an encoder for each wall there would be as many encodings as pictures sent; some are on their way at either end.
  t.ok(encodings < ((packets + leftOut) / WALLS) * 1.2, `${encodings} encodings for ${packets + leftOut} packets`);
  t.ok(picturesPerSecond < PROFILE.maxFps * 1.2, 'no more pictures are made than a wall asks for');
  return { cores, picturesPerSecond };
}

/** Processor time of a process and of all below it, in microseconds. */
function treeCpuUs(pid: number): number {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return children.reduce((sumUs, child) => sumUs + treeCpuUs(child), cpuTimeUs(pid) ?? 0);
}
