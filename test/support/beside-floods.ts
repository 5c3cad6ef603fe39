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
}

/** How long something took in one round: beside nothing, beside a flood, and beside the same flood of another service. */
interface Compared {
  readonly idleMs: number;
  readonly floodedMs: number;
  readonly elsewhereMs: number;
}

/** What a flood does to the requests of another account. */
export interface Effect {
  readonly kind: FloodKind;
  readonly what: keyof Times;
  /**
   * The middle one of the rounds, of each the percentile beside the flood by that of its own: what it is beside nothing, or
   * beside the same flood of another service where that is longer, because the processors are shared on any service.
   */
  readonly times: number;
  readonly told: string;
  /** Each round by itself. */
  readonly roundsTold: string;
}

/**
 * Measures the requests of one account while another one, or unauthenticated callers, flood the service; and, as the control,
 * while the same flood goes to another service on this machine.
 * @param share the percentile, from 0 to 1
 */
export async function measureBesideFloods(measurement: Measurement, share: number): Promise<readonly Effect[]> {
  const { kinds, rounds, counts } = measurement;
  // The checks of answers are the tests' own, and would be most of what a list costs.
  const start = () => FloodedService.start({ RUNCLOUD_CHECK_ANSWERS: undefined });
  const service = await start();
  const elsewhere = await start();
  try {
    const people = counts['sign-ins'] * PEOPLE_PER_SIGN_IN;
    const other = await OtherAccount.open(service, people);
    const emails = other.emails;
    const beside = (kind: FloodKind, flooded: FloodedService) => measure({ kind, flooded, other, emails, measurement });
    const whats = (Object.keys(counts) as (keyof Times)[]).filter((what) => counts[what] > 0);
    const found = new Map<string, Compared[]>();
    for (let round = 0; round < rounds; round++) {
      const idle = await beside('nothing', service);
      for (const kind of kinds) {
        const control = await beside(kind, elsewhere);
        const flooded = await beside(kind, service);
        for (const what of whats) {
          const [idleMs, elsewhereMs, floodedMs] = [idle, control, flooded].map((times) => {
            if (times[what].length !== counts[what]) throw new Error(`not all ${what} beside ${kind} were answered`);
            return percentile(times[what], share);
          }) as [number, number, number];
          const name = `${what} beside ${kind}`;
          found.set(name, [...(found.get(name) ?? []), { idleMs, floodedMs, elsewhereMs }]);
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
  const times = of(({ idleMs, floodedMs, elsewhereMs }) => floodedMs / Math.max(idleMs, elsewhereMs));
  const ms = [of(({ floodedMs }) => floodedMs), of(({ idleMs }) => idleMs), of(({ elsewhereMs }) => elsewhereMs)];
  const [flooded, idle, elsewhere] = ms.map((value) => value.toFixed(2));
  const [own, control] = [
    of(({ idleMs, floodedMs }) => floodedMs / idleMs),
    of(({ floodedMs, elsewhereMs }) => floodedMs / elsewhereMs),
  ].map((value) => value.toFixed(2));
  const told =
    `${what} beside ${kind}: ${times.toFixed(2)} times: ${flooded} ms; ${own} times ${idle} ms beside nothing, ` +
    `${control} times ${elsewhere} ms beside the same flood of another service`;
  const each = rounds.map((round) =>
    [round.floodedMs, round.idleMs, round.elsewhereMs].map((value) => value.toFixed(2)).join('/'),
  );
  const roundsTold = `${what} beside ${kind}, flooded/idle/elsewhere, round by round: ${each.join(', ')} ms`;
  return { kind, what, times, told, roundsTold };
}
