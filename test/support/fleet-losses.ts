import type { Test } from 'tap';
import { type KillableFleet, startKillableFleet } from './fleet.ts';
import { TEST_KEY } from './server.ts';
import { type Losses, surviveLosses } from './survive-cuts.ts';

/** What can be lost of a fleet while clients act on a phone. */
export type Loss =
  /** The edge's process is killed, and started again. */
  | 'edge killed'
  /** One of two edges is killed, and started again while the clients are at the other one. */
  | 'one of two edges killed'
  /** The PostgreSQL server of two edges is killed, and started again. */
  | 'PostgreSQL killed'
  /** The NATS server's process is killed, and started again. */
  | 'NATS killed'
  /** The edge's process stands still for a while. */
  | 'edge stopped';

const DOWN_MS = 300;
/** Longer than a peer may be silent. */
const STOPPED_MS = 12_000;
/** Time for the clients to be back and at work before the next loss. */
const UP_MS = 700;
/** Without any message for so long, a request is lost: a process that is started again may take a while. */
const PATIENCE_MS = 45_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function lose({ edges, nats, postgres }: KillableFleet, loss: Loss, number: number): Promise<void> {
  const edge = edges[number % edges.length];
  if (!edge) throw new Error('there is no edge');
  if (loss === 'edge killed' || loss === 'one of two edges killed') {
    await edge.kill();
    await edge.start();
  } else if (loss === 'PostgreSQL killed') {
    await postgres?.stop();
    await sleep(DOWN_MS);
    await postgres?.start();
  } else if (loss === 'NATS killed') {
    await nats.stop();
    await sleep(DOWN_MS);
    await nats.start();
  } else {
    edge.signal('SIGSTOP');
    await sleep(STOPPED_MS);
    edge.signal('SIGCONT');
  }
}

const OF_TWO_EDGES: ReadonlySet<Loss> = new Set(['one of two edges killed', 'PostgreSQL killed']);

export const FLEET_ENVIRONMENT = {
  RUNCLOUD_API_KEY: TEST_KEY,
  RUNCLOUD_LOG: 'silent',
  RUNCLOUD_RATE_LIMIT: 'off',
};

/** Four clients act on a phone of a fleet, of which something is lost again and again; judged as cuts of their connections are. */
export async function surviveFleetLosses(t: Test, losses: readonly Loss[], patienceMs = PATIENCE_MS) {
  const count = losses.some((loss) => OF_TWO_EDGES.has(loss)) ? 2 : 1;
  const fleet = await startKillableFleet(FLEET_ENVIRONMENT, [{ RUNCLOUD_DEVICES: 'virtual-ios:1' }], count);
  t.teardown(() => fleet.close());
  let left = losses.length;
  const loseAll = async () => {
    try {
      for (const loss of losses) {
        await sleep(UP_MS * (0.5 + Math.random()));
        await lose(fleet, loss, losses.length - left);
        left--;
      }
    } finally {
      // Where one fails, the clients are not to wait for the others.
      left = 0;
    }
  };
  let losing: Promise<void> | undefined;
  const coming: Losses = {
    url: fleet.url,
    get left() {
      return left;
    },
    begin: () => {
      losing = loseAll();
      // It is awaited when the clients are done.
      losing.catch(() => undefined);
    },
  };
  const report = await surviveLosses(t, fleet, coming, { interactions: 400, patienceMs, pauseMs: 5 });
  await losing;
  return report;
}
