import { setTimeout as sleep } from 'node:timers/promises';
import { Accounts } from '../../server/account/accounts.ts';
import { systemClock } from '../../server/flow/clock.ts';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { ControlClient } from './control-client.ts';
import type { FloodKind, FloodOrder } from './flood-order.ts';
import { RestClient } from './rest-client.ts';
import { Program, serverProgram, temporaryDataDir } from './server-process.ts';

const KEY = 'a-key-that-only-the-tests-know';
/** Between two taps. */
const PAUSE_MS = 4;
/** What was sent in the phase before is still being worked off. */
const SETTLING_MS = 200;
/** A phase that gets no further is told of as it is. */
const PHASE_MS_MAX = 30_000;

/** What another account sent, and milliseconds that each tap took meanwhile. */
export interface Phase {
  readonly kind: FloodKind;
  readonly tapsMs: readonly number[];
}

/** Taps in a session, so many in each phase, while another account's key floods its own. */
export async function tapThroughFloods(
  phases: readonly FloodKind[],
  { taps, sockets }: { readonly taps: number; readonly sockets: number },
): Promise<readonly Phase[]> {
  const dataDir = temporaryDataDir();
  const server = serverProgram(dataDir.path, { RUNCLOUD_API_KEY: KEY, RUNCLOUD_LOG: 'error' });
  try {
    const url = await server.ready();
    const store = new Store(databasePath(dataDir.path));
    const { key } = new Accounts(store, systemClock).create('flooding');
    store.close();
    const own = new RestClient(url, KEY);
    const flooding = new RestClient(url, key);
    const [session, flooded] = [await own.createSession('ios'), await flooding.createSession('android')];
    const client = await ControlClient.connect(url, session, own.authorization);
    const path = `/service/android/${flooded.id}`;
    const { authorization } = flooding;
    const order: FloodOrder = { url, session: path, authorization, sockets, phases };
    const flood = new Program('test/support/flood-program.ts', [JSON.stringify(order)], {});
    const found: Phase[] = [];
    let lastId = 0;
    for (const [index, kind] of phases.entries()) {
      while (flood.running && flood.stdout.split('\n').length <= index + 1) await sleep(10);
      await sleep(SETTLING_MS);
      const tapsMs: number[] = [];
      const endMs = performance.now() + PHASE_MS_MAX;
      while (tapsMs.length < taps && performance.now() < endMs) {
        const startMs = performance.now();
        const tap = { requestId: `t-${++lastId}`, action: 'tap', x: 0.5, y: 0.5, acks: 'final' };
        const { status } = await client.interact(tap);
        if (status !== 'completed') throw new Error(`a tap ended ${status}`);
        tapsMs.push(performance.now() - startMs);
        client.messages.length = 0;
        await sleep(PAUSE_MS);
      }
      found.push({ kind, tapsMs });
      flood.signal('SIGUSR2');
    }
    await flood.ended;
    client.terminate();
    return found;
  } finally {
    server.signal('SIGTERM');
    await server.ended;
    dataDir.remove();
  }
}
