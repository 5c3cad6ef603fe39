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
/** A flood that lets nothing through is told of as it is. */
const FLOOD_MS_MAX = 30_000;

/** What another account sent, and milliseconds that each tap took meanwhile. */
export interface Flooded {
  readonly kind: FloodKind;
  readonly tapsMs: readonly number[];
}

/** Taps in a session, so many beside each flood; each flood is another account's, which has done nothing before. */
export async function tapThroughFloods(
  kinds: readonly FloodKind[],
  { taps, sockets }: { readonly taps: number; readonly sockets: number },
): Promise<readonly Flooded[]> {
  const dataDir = temporaryDataDir();
  const server = serverProgram(dataDir.path, { RUNCLOUD_API_KEY: KEY, RUNCLOUD_LOG: 'error' });
  try {
    const url = await server.ready();
    const own = new RestClient(url, KEY);
    const session = await own.createSession('ios');
    const client = await ControlClient.connect(url, session, own.authorization);
    const keys = keysOf(dataDir.path, kinds.length);
    const found: Flooded[] = [];
    let lastId = 0;
    for (const [index, kind] of kinds.entries()) {
      const flooding = new RestClient(url, keys[index] ?? '');
      const flooded = await flooding.createSession('android');
      const { authorization } = flooding;
      const order: FloodOrder = { url, session: `/service/android/${flooded.id}`, authorization, sockets, kind };
      const flood = new Program('test/support/flood-program.ts', [JSON.stringify(order)], {});
      while (flood.running && flood.stdout === '') await sleep(10);
      flood.signal('SIGUSR2');
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
      found.push({ kind, tapsMs });
      if (!flood.running) throw new Error(`the flood of ${kind} ended: ${flood.stderr}`);
      flood.signal('SIGKILL');
      await flood.ended;
      await flooding.releaseSession(flooded.id);
    }
    client.terminate();
    return found;
  } finally {
    server.signal('SIGTERM');
    await server.ended;
    dataDir.remove();
  }
}

/** Keys of as many new accounts. */
function keysOf(dataDir: string, count: number): readonly string[] {
  const store = new Store(databasePath(dataDir));
  const accounts = new Accounts(store, systemClock);
  const keys = Array.from({ length: count }, (_, index) => accounts.create(`flooding-${index}`).key);
  store.close();
  return keys;
}
