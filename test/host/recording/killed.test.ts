import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { finish } from '../../../server/finisher/finish.ts';
import { complaints } from '../../support/mp4-judges.ts';
import { withFfmpeg } from '../stream/ffmpeg.ts';
import { captureFolder } from './captures.ts';

const PROCESS = fileURLToPath(new URL('limited-process.ts', import.meta.url));
const RECORDED_MS = 4_000;
/** At most a second may be lost; the rest is a tolerance for a busy machine. */
const LOST_MS_MAX = 3_000;

t.test('a server that is killed leaves all but the last moment', { ...withFfmpeg(), timeout: 60_000 }, async (t) => {
  const order = captureFolder(t);
  const child = spawn(process.execPath, ['--import', 'tsx', PROCESS, order.folder]);
  t.teardown(() => child.kill('SIGKILL'));
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (part) => String(part).includes('begun') && resolve());
  });
  const begunMs = performance.now();
  await new Promise((resolve) => setTimeout(resolve, RECORDED_MS));
  const closed = new Promise((resolve) => void child.once('close', resolve));
  child.kill('SIGKILL');
  const recordedMs = performance.now() - begunMs;
  await closed;
  const { durationMs, sampleCount } = await finish(order);
  t.comment(
    `${Math.round(recordedMs - durationMs)} ms of ${Math.round(recordedMs)} are lost, ${sampleCount} samples kept`,
  );
  t.ok(durationMs > recordedMs - LOST_MS_MAX, `${durationMs} of ${recordedMs} ms`);
  t.ok(sampleCount > 5, `${sampleCount} samples`);
  t.equal(await complaints(order.targetFile), '');
});
