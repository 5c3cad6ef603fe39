import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../screen/link-simulator.ts';
import type { FloodKind } from './flood-order.ts';
import { FloodedService } from './flooded-service.ts';
import { type Counts, OtherAccount, type Times } from './other-account.ts';
import { invite, PASSWORD } from './people.ts';

/** Starting is not flooding: processes that read packages, and encoders, are there before anything is measured. */
const WARM_UP_MS = 500;
/** Sign-ins of one person are further apart than this many others. */
const PEOPLE_PER_SIGN_IN = 6;

export interface Measurement {
  readonly kinds: readonly FloodKind[];
  readonly rounds: number;
  readonly counts: Counts;
  readonly sockets: number;
  /** The percentile, from 0 to 1. */
  readonly share: number;
  /** A round of a kind without anything above these times its own has no need of a control. */
  readonly timesMax: number;
}

/** How long something took in one round: beside nothing, beside a flood, and beside the same flood of another service. */
interface Compared {
  readonly idleMs: number;
  readonly floodedMs: number;
  readonly elsewhereMs: number | undefined;
}

/** What a flood does to the requests of another account. */
export interface Effect {
  readonly kind: FloodKind;
  readonly what: keyof Times;
  /**
   * The middle one of the rounds, of each the percentile beside the flood by that of its own: what it is beside nothing, or
   * beside the same flood of another service where that was measured and is longer, because the processors are shared on any
   * service.
   */
  readonly times: number;
  readonly told: string;
  /** Each round by itself. */
  readonly roundsTold: string;
}

/**
 * Measures the requests of one account while another one, or unauthenticated callers, flood the service; and, as the control,
 * while the same flood goes to another service on this machine.
 */
export async function measureBesideFloods(measurement: Measurement): Promise<readonly Effect[]> {
  const { kinds, rounds, counts, share, timesMax } = measurement;
  // The checks of answers are the tests' own, and would be most of what a list costs.
  const start = () => FloodedService.start({ RUNCLOUD_CHECK_ANSWERS: undefined });
  const service = await start();
  const elsewhere = await start();
  try {
    const other = await OtherAccount.open(service, counts['sign-ins'] * PEOPLE_PER_SIGN_IN);
    const whats = (Object.keys(counts) as (keyof Times)[]).filter((what) => counts[what] > 0);
    const beside = async (kind: FloodKind, flooded: FloodedService): Promise<ReadonlyMap<keyof Times, number>> => {
      const times = await measure({ kind, flooded, other, emails: other.emails, measurement });
      for (const what of whats) {
        if (times[what].length !== counts[what]) throw new Error(`not all ${what} beside ${kind} were answered`);
      }
      return new Map(whats.map((what) => [what, percentile(times[what], share)]));
    };
    const found = new Map<string, Compared[]>();
    for (let round = 0; round < rounds; round++) {
      const before = await beside('nothing', service);
      const flooded = new Map<FloodKind, ReadonlyMap<keyof Times, number>>();
      for (const kind of kinds) flooded.set(kind, await beside(kind, service));
      const after = await beside('nothing', service);
      // Whatever else the machine does makes times longer: the shorter ones are the account's own.
      const idleMs = (what: keyof Times) => Math.min(before.get(what) ?? 0, after.get(what) ?? 0);
      for (const [kind, times] of flooded) {
        const isSlower = whats.some((what) => (times.get(what) ?? 0) > timesMax * idleMs(what));
        const control = isSlower ? await beside(kind, elsewhere) : undefined;
        for (const what of whats) {
          const name = `${what} beside ${kind}`;
          const compared = {
            idleMs: idleMs(what),
            floodedMs: times.get(what) ?? 0,
            elsewhereMs: control?.get(what),
          };
          found.set(name, [...(found.get(name) ?? []), compared]);
        }
      }
    }
    other.close();
    return whats.flatMap((what) =>
      kinds.map((kind) => effectOf(kind, what, found.get(`${what} beside ${kind}`) ?? [])),
    );
  } finally {
    await service.stop();
    await elsewhere.stop();
  }
}

interface Phase {
  readonly kind: FloodKind;
  readonly flooded: FloodedService;
  readonly other: OtherAccount;
  readonly emails: readonly string[];
  readonly measurement: Measurement;
}

let hostile = 0;

async function measure({ kind, flooded, other, emails, measurement }: Phase): Promise<Times> {
  const { counts, sockets } = measurement;
  const flood = { kind, sockets, ...(kind === 'sign-ins' && { people: await peopleOf(flooded, emails) }) };
  return flooded.beside(flood, () => sleep(WARM_UP_MS).then(() => other.measure(counts)));
}

/** @param others addresses that passwords are tried with */
async function peopleOf(service: FloodedService, others: readonly string[]) {
  const { email, browser } = await invite(service, `hostile${++hostile}@example.com`);
  return { own: { email, headers: { ...browser.own, Cookie: browser.mark } }, password: PASSWORD, others };
}

const middle = (values: readonly number[]): number => percentile(values, 0.5);

function effectOf(kind: FloodKind, what: keyof Times, rounds: readonly Compared[]): Effect {
  const of = (time: (round: Compared) => number) => middle(rounds.map(time));
  const times = of(({ idleMs, floodedMs, elsewhereMs = 0 }) => floodedMs / Math.max(idleMs, elsewhereMs));
  const flooded = of(({ floodedMs }) => floodedMs).toFixed(2);
  const idle = of(({ idleMs }) => idleMs).toFixed(2);
  const own = of(({ idleMs, floodedMs }) => floodedMs / idleMs).toFixed(2);
  const controls = rounds.flatMap(({ elsewhereMs }) => elsewhereMs ?? []);
  const control =
    controls.length === 0 ? '' : `, ${middle(controls).toFixed(2)} ms beside the same flood of another service`;
  const told =
    `${what} beside ${kind}: ${times.toFixed(2)} times: ${flooded} ms; ` +
    `${own} times ${idle} ms beside nothing${control}`;
  const each = rounds.map((round) =>
    [round.floodedMs, round.idleMs, round.elsewhereMs].map((value) => value?.toFixed(2) ?? '-').join('/'),
  );
  const roundsTold = `${what} beside ${kind}, flooded/idle/elsewhere, round by round: ${each.join(', ')} ms`;
  return { kind, what, times, told, roundsTold };
}
