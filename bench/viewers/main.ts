import { Crowd } from './crowd.ts';
import type { CrowdFigures, CrowdOrder, CrowdReply } from './job.ts';

/** The crowd process: contains the viewers and executes one order after the other. */
let crowd: Crowd | undefined;
let failure: Error | undefined;

async function carryOut(order: CrowdOrder): Promise<CrowdFigures | undefined> {
  if (order.kind === 'open') {
    crowd?.close();
    failure = undefined;
    crowd = new Crowd(order.targets, (error) => {
      failure ??= error;
    });
    await crowd.join(order.viewers);
    return undefined;
  }
  if (!crowd) throw new Error('no viewers are open');
  if (failure) throw failure;
  if (order.kind === 'join') await crowd.join(order.viewers);
  if (order.kind === 'begin') crowd.begin();
  if (order.kind === 'seen') await crowd.seen(order.by);
  if (order.kind === 'close') crowd.close();
  return order.kind === 'end' ? crowd.end() : undefined;
}

process.on('message', (order: CrowdOrder) => {
  const reply = (answer: CrowdReply) => void process.send?.(answer);
  carryOut(order).then(
    (figures) => reply({ ok: true, figures }),
    (error: unknown) => reply({ ok: false, error: error instanceof Error ? error.message : String(error) }),
  );
});
// In a child of the bench the channel is unreferenced, but this process has nothing else that keeps it alive.
process.channel?.ref();
