import t from 'tap';
import { far } from '../../../bench/scenarios/far/far.ts';
import { FAR_ROWS, ROW_NAMES } from '../../../bench/scenarios/far/rows.ts';
import type { rowFigures } from '../../../bench/scenarios/photon/figures.ts';

const options = { seconds: 0.04, rounds: 1, layouts: ['two-cores'], progress: () => undefined } as const;

interface Figures {
  readonly rows: readonly ReturnType<typeof rowFigures>[];
  readonly ratios: readonly { readonly of: string; readonly to: string; readonly ratio: number }[];
  readonly stall?: Readonly<Record<string, number>>;
  readonly slow?: Readonly<Record<string, number>>;
}

t.test('taps are seen over the far link and beside it, and a stalled link is served again', async (t) => {
  const { text, figures, goals } = await far.run({ ...options, controlsOnly: false });
  const { rows, ratios, stall, slow } = figures as Figures;
  t.same(
    rows.map(({ name }) => name),
    FAR_ROWS.map(({ name }) => name),
  );
  for (const { name, taps, p50Ms, p99Ms } of rows) {
    t.match(text, name);
    t.ok(taps > 0 && p50Ms <= p99Ms, name);
  }
  const fastest = (name: string) => rows.find((row) => row.name === name)?.leastMs ?? 0;
  for (const name of [ROW_NAMES.bareTiles, ROW_NAMES.tiles, ROW_NAMES.bareVideo, ROW_NAMES.h264]) {
    t.ok(fastest(name) >= 50, `${name}: a tap takes at least the round trip, not ${fastest(name)} ms`);
  }
  t.ok(ratios.every(({ ratio }) => ratio > 0));
  t.ok(stall && Object.values(stall).every((figure) => figure > 0));
  t.ok(slow && (slow.perSecond ?? 0) > 0 && (slow.delayP99Ms ?? 0) >= (slow.delayP50Ms ?? 1));
  t.equal(goals?.length, 7);
});

t.test('the control is measured alone', async (t) => {
  const { figures, missed } = await far.run({ ...options, controlsOnly: true });
  t.match((figures as Figures).rows, [{ name: ROW_NAMES.bareTiles }, { name: ROW_NAMES.bareVideo }]);
  t.equal(missed.length, 7, 'goals of a service that was not measured are missed');
});
