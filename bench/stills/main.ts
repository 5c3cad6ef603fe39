import { setTimeout as sleep } from 'node:timers/promises';
import type { StillsFigures, StillsOrder, StillsReply } from './job.ts';
import { openSource } from './sources.ts';

/** Random pause before each still, so that stills do not synchronise with any rate, and idle parts may cool down. */
const PAUSE_MS = { min: 2, more: 6 };
const PNG_SIGNATURE = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** The process that takes stills: one order after the other. */
async function carryOut({ job, warmUp, measureMs }: StillsOrder): Promise<StillsFigures> {
  const source = await openSource(job);
  try {
    const tookMs: number[] = [];
    let untilMs = Number.POSITIVE_INFINITY;
    let bytes = 0;
    for (let n = 0; performance.now() < untilMs; n++) {
      await source.prepare(n);
      await sleep(PAUSE_MS.min + Math.random() * PAUSE_MS.more);
      const sinceMs = performance.now();
      const png = await source.take();
      const tookOneMs = performance.now() - sinceMs;
      if (!PNG_SIGNATURE.equals(png.subarray(0, PNG_SIGNATURE.length))) throw new Error('a still is no PNG file');
      bytes = png.length;
      if (n === warmUp) untilMs = performance.now() + measureMs;
      if (n >= warmUp) tookMs.push(tookOneMs);
    }
    return { tookMs, bytes };
  } finally {
    source.close();
  }
}

process.on('message', (order: StillsOrder) => {
  const reply = (answer: StillsReply) => void process.send?.(answer);
  carryOut(order).then(
    (figures) => reply({ ok: true, figures }),
    (error: unknown) => reply({ ok: false, error: error instanceof Error ? error.message : String(error) }),
  );
});
// In a child of the bench the channel is unreferenced, but this process has nothing else that keeps it alive.
process.channel?.ref();
