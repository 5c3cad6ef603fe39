import t from 'tap';
import { measureBesideFloods } from '../support/beside-floods.ts';
import { HOSTILE_KINDS } from '../support/flood-order.ts';

/** `PROVE_HOSTILE_ROUNDS` makes it shorter or longer, `PROVE_HOSTILE_KINDS` names some kinds, with commas. */
const ROUNDS = Number(process.env.PROVE_HOSTILE_ROUNDS ?? 9);
const named = process.env.PROVE_HOSTILE_KINDS?.split(',');
const KINDS = HOSTILE_KINDS.filter((kind) => named?.includes(kind) ?? true);
const COUNTS = { taps: 400, lists: 100, uploads: 20, 'sign-ins': 10 };
const SOCKETS = 50;
const TIMES = 2;

t.test(
  "whatever one account does, another's taps, lists, uploads and sign-ins stay within twice their own p99",
  { timeout: 3_500_000 },
  async (t) => {
    const measurement = {
      kinds: KINDS,
      rounds: ROUNDS,
      counts: COUNTS,
      sockets: SOCKETS,
      share: 0.99,
      timesMax: TIMES,
    };
    for (const { times, told, roundsTold } of await measureBesideFloods(measurement)) {
      t.comment(roundsTold);
      t.ok(times <= TIMES, told);
    }
  },
);
