import t from 'tap';
import { drag } from '../../../bench/scenarios/drag/drag.ts';
import type { DragRowFigures } from '../../../bench/scenarios/drag/figures.ts';
import { DRAG_ROWS } from '../../../bench/scenarios/drag/rows.ts';
import { DRAG_COMPARISONS } from '../../../bench/scenarios/drag/targets.ts';

t.test('every comparison names two rows that are measured', async (t) => {
  const names = new Set(DRAG_ROWS.map(({ name }) => name));
  t.equal(names.size, DRAG_ROWS.length);
  for (const { of, to } of DRAG_COMPARISONS) t.ok(names.has(of) && names.has(to), `${of} / ${to}`);
});

t.test('strokes are dragged to their ends, watched and not, beside the echo', async (t) => {
  const { text, figures, goals, missed } = await drag.run({
    seconds: 0.1,
    rounds: 1,
    layouts: ['one-core', 'two-cores'],
    controlsOnly: false,
    progress: () => undefined,
  });
  const { layout, rows } = figures as { layout: string; rows: readonly DragRowFigures[] };
  t.equal(layout, 'two-cores');
  t.same(
    rows.map(({ name }) => name),
    DRAG_ROWS.map(({ name }) => name),
  );
  for (const { name, p50Us, p99Us, jitterP50Us } of rows)
    t.ok(
      p50Us > 0 && p50Us <= p99Us && jitterP50Us >= 0,
      `${name}: p50 ${p50Us}, p99 ${p99Us}, jitter ${jitterP50Us} µs`,
    );
  const [echo, alone] = rows;
  t.ok(Number.isNaN(echo?.takenP50Us), 'an echo takes nothing');
  t.ok((alone?.takenP50Us ?? 0) > 0);
  t.match(text, /end to taken/);
  t.match(goals, [{ goal: 1.8 }, { goal: 2.5 }]);
  t.equal(missed.length, goals?.filter(({ met }) => !met).length);
});
