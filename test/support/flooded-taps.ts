import { setTimeout as sleep } from 'node:timers/promises';
import { ControlClient } from './control-client.ts';
import type { FloodKind } from './flood-order.ts';
import { FloodedService } from './flooded-service.ts';

/** Between two taps. */
const PAUSE_MS = 4;
/** A flood that lets nothing through is told of as it is. */
const FLOOD_MS_MAX = 30_000;

/** The messages of the other account, and the time of each tap meanwhile, in milliseconds. */
export interface Flooded {
  readonly kind: FloodKind;
  readonly tapsMs: readonly number[];
}

/** Taps in a session, so many beside each flood; each flood is another account's, which has done nothing before. */
export async function tapThroughFloods(
  kinds: readonly FloodKind[],
  { taps, sockets }: { readonly taps: number; readonly sockets: number },
): Promise<readonly Flooded[]> {
  const service = await FloodedService.start();
  try {
    const session = await service.own.createSession('ios');
    const client = await ControlClient.connect(service.url, session, service.own.authorization);
    const found: Flooded[] = [];
    let lastId = 0;
    const measure = async () => {
      const tapsMs: number[] = [];
      const endMs = performance.now() + FLOOD_MS_MAX;
      while (tapsMs.length < taps && performance.now() < endMs) {
        const startMs = performance.now();
        const tap = { requestId: `t-${++lastId}`, action: 'tap', x: 0.5, y: 0.5, acks: 'final' };
        const { status } = await client.interact(tap);
        if (status !== 'completed') throw new Error(`a tap ended ${status}`);
        tapsMs.push(performance.now() - startMs);
        client.messages.length = 0;
        await sleep(PAUSE_MS);
      }
      return tapsMs;
    };
    for (const kind of kinds) found.push({ kind, tapsMs: await service.beside({ kind, sockets }, measure) });
    client.terminate();
    return found;
  } finally {
    await service.stop();
  }
}
