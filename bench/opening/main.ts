import { setTimeout as sleep } from 'node:timers/promises';
import { handshake } from './handshake.ts';
import type { OpeningFigures, OpeningOrder, OpeningReply, OpeningTarget } from './job.ts';
import { openSubject } from './subjects.ts';

/** Random pause between pictures, so that they do not synchronise with any rate, and idle parts may cool down. */
const PAUSE_MS = { min: 5, more: 10 };

/** The process that opens sockets and screens: one order after the other. */
async function carryOut({ job, warmUp, measureMs }: OpeningOrder): Promise<OpeningFigures> {
  if (job.kind === 'handshakes') return handshakes(job.targets, job.atOnce, warmUp, measureMs);
  const subject = await openSubject(job);
  try {
    const tookMs: number[] = [];
    let sinceMs = Number.NaN;
    for (let n = 0; n <= warmUp || performance.now() - sinceMs < measureMs; n++) {
      const tookOneMs = await subject.open();
      if (n === warmUp) sinceMs = performance.now();
      if (n >= warmUp) tookMs.push(tookOneMs);
      await sleep(PAUSE_MS.min + Math.random() * PAUSE_MS.more);
    }
    return { tookMs, seconds: (performance.now() - sinceMs) / 1_000, openedInAll: warmUp + tookMs.length };
  } finally {
    await subject.close();
  }
}

async function handshakes(
  targets: readonly OpeningTarget[],
  atOnce: number,
  warmUp: number,
  measureMs: number,
): Promise<OpeningFigures> {
  let opened = 0;
  const open = () => handshake(targets[opened++ % targets.length] as OpeningTarget);
  while (opened < warmUp) await open();
  const tookMs: number[] = [];
  const sinceMs = performance.now();
  const one = async () => {
    while (performance.now() - sinceMs < measureMs) tookMs.push(await open());
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return { tookMs, seconds: (performance.now() - sinceMs) / 1_000, openedInAll: warmUp + tookMs.length };
}

process.on('message', (order: OpeningOrder) => {
  const reply = (answer: OpeningReply) => void process.send?.(answer);
  carryOut(order).then(
    (figures) => reply({ ok: true, figures }),
    (error: unknown) => reply({ ok: false, error: error instanceof Error ? error.message : String(error) }),
  );
});
// In a child of the bench the channel is unreferenced, but this process has nothing else that keeps it alive.
process.channel?.ref();
