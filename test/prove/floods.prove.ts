import t from 'tap';
import { percentile } from '../screen/link-simulator.ts';
import { FLOOD_KINDS, type FloodKind } from '../support/flood-order.ts';
import { tapThroughFloods } from '../support/flooded-taps.ts';

/** `PROVE_FLOOD_ROUNDS` makes it shorter or longer. A machine that does nothing else is needed: percentiles are compared. */
const ROUNDS = Number(process.env.PROVE_FLOOD_ROUNDS ?? 12);
const SIZE = { taps: 2_000, sockets: 50 };
const TIMES = 3;

t.test(
  "whatever one account sends, another's taps stay within three times their own p99",
  { timeout: 3_500_000 },
  async (t) => {
    const p99sOf = async (kinds: readonly FloodKind[], elsewhere: boolean) => {
      const phases = Array.from({ length: ROUNDS }, () => kinds).flat();
      const found = await tapThroughFloods(phases, { ...SIZE, elsewhere });
      const p99s = new Map<FloodKind, number>();
      for (const kind of kinds) {
        const taps = found.filter((phase) => phase.kind === kind).flatMap(({ tapsMs }) => tapsMs);
        const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => percentile(taps, share)) as [number, number, number];
        const where = elsewhere ? `${kind} at another service` : kind;
        t.comment(
          `${where}: ${taps.length} taps, p50 ${p50.toFixed(2)}, p90 ${p90.toFixed(2)}, p99 ${p99.toFixed(2)} ms`,
        );
        p99s.set(kind, p99);
      }
      return p99s;
    };
    const p99s = await p99sOf(FLOOD_KINDS, false);
    const idleMs = p99s.get('nothing') ?? 0;
    const excess = [...p99s].flatMap(([kind, p99]) => (p99 > idleMs * TIMES ? [kind] : []));
    // A flood takes the processors from any service on this machine: what the same one does from another service is not this one's.
    const controls = excess.length > 0 ? await p99sOf(excess, true) : undefined;
    for (const [kind, p99] of p99s) {
      const ownMs = Math.max(idleMs, controls?.get(kind) ?? 0);
      const told = `${kind}: ${(p99 / idleMs).toFixed(2)} times`;
      t.ok(p99 <= ownMs * TIMES, ownMs > idleMs ? `${told}, ${(p99 / ownMs).toFixed(2)} times the control` : told);
    }
  },
);
