import { decodeServerMessage, encodeClientMessage, type ServerMessage } from '@runcloud/protocol';
import { LatencySamples } from '../report/percentiles.ts';
import { DragCount } from './drag-count.ts';
import type { DragFigures, DragJob } from './job.ts';
import { MeasureWindow, nowUs } from './measure-window.ts';
import { openSocket } from './open-socket.ts';
import { startPacer } from './pace.ts';

/** Time for the pacing thread to receive its order before the first step is due. */
const START_MS = 5;
/** A stroke from left to right on a part of the screen without controls. */
const STROKE = { fromX: 0.2, toX: 0.8, y: 0.75 } as const;

/** Performs one gesture after the other, with a step at each due time, even if earlier steps are unanswered. */
export async function runDrag(job: DragJob, fail: (error: Error) => void): Promise<DragFigures> {
  const { stepsPerSecond, stepsPerGesture, idPrefix, endsWithResult } = job.drag;
  const periodUs = 1_000_000 / stepsPerSecond;
  const gestures = Math.ceil(((job.warmUpMs + job.measureMs) / 1_000) * (stepsPerSecond / stepsPerGesture));
  const steps = gestures * stepsPerGesture;

  const { socket } = await openSocket(job.target.url, job.target);
  const pacer = await startPacer();
  const startUs = nowUs() + START_MS * 1_000;
  const window = new MeasureWindow(job, startUs);
  const jitter = new LatencySamples(steps);
  const taken = new LatencySamples(gestures);
  const dueUs = (step: number) => startUs + step * periodUs;
  let lastUs = Number.NaN;
  let sent = 0;

  const count = new DragCount(gestures, stepsPerGesture, endsWithResult, {
    stepped(step, atUs) {
      const latencyUs = atUs - dueUs(step);
      window.record(dueUs(step), latencyUs);
      const inWindow = dueUs(step) >= window.fromUs && dueUs(step) < window.untilUs;
      if (inWindow && !Number.isNaN(lastUs)) jitter.add(Math.abs(latencyUs - lastUs));
      lastUs = latencyUs;
    },
    ended(lastStep, atUs) {
      if (dueUs(lastStep) >= window.fromUs) taken.add(atUs - dueUs(lastStep));
    },
  });
  const over = new Promise<void>((resolve) => {
    socket.on('message', (bytes: Buffer) => {
      try {
        const read = decodeServerMessage(bytes);
        if (read.kind === 'message') take(read.message, count, sent - 1);
        if (count.complete) resolve();
      } catch (error) {
        fail(error as Error);
      }
    });
  });
  const closed = (code: number) => fail(new Error(`the socket closed with ${code}`));
  socket.on('close', closed);
  socket.on('error', fail);

  pacer.begin(startUs, periodUs, steps, () => socket.send(stepMessage(sent++, stepsPerGesture, idPrefix)));
  await over;
  await pacer.stop();
  socket.off('close', closed);
  socket.close();
  const [jitterUs, takenUs] = [jitter.percentiles(), taken.percentiles()];
  return {
    ...window.figures(),
    jitterP50Us: jitterUs.p50Us,
    jitterP99Us: jitterUs.p99Us,
    takenP50Us: takenUs.p50Us,
    takenP99Us: takenUs.p99Us,
    replaced: count.replaced,
  };
}

function take(message: ServerMessage, count: DragCount, newestSent: number): void {
  if (message.type === 'dispatched') return count.dispatched(nowUs(), newestSent);
  if (message.type === 'error' || (message.type === 'result' && !message.ok)) {
    throw new Error(`the server refused a step: ${JSON.stringify(message)}`);
  }
  if (message.type === 'result') count.result(nowUs());
}

function stepMessage(step: number, stepsPerGesture: number, idPrefix: string): Uint8Array {
  const at = step % stepsPerGesture;
  const last = stepsPerGesture - 1;
  const x = STROKE.fromX + ((STROKE.toX - STROKE.fromX) * at) / last;
  return encodeClientMessage({
    type: 'pointer',
    requestId: `${idPrefix}${Math.floor(step / stepsPerGesture)}`,
    phase: at === 0 ? 'begin' : at === last ? 'end' : 'move',
    points: [{ x, y: STROKE.y }],
  });
}
