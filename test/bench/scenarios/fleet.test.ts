import t from 'tap';
import { fleet } from '../../../bench/scenarios/fleet/fleet.ts';
import { type PictureFigures, pictureFigures } from '../../../bench/scenarios/fleet/picture-figures.ts';
import { PICTURE_ROWS, pictureComparisons } from '../../../bench/scenarios/fleet/picture-rows.ts';
import { FLEET_ROWS, fleetComparisons } from '../../../bench/scenarios/fleet/rows.ts';
import type { RowFigures } from '../../../bench/scenarios/tap/figures.ts';
import { LocalNats } from '../../../server/local-nats.ts';

const TABLES = [
  { rows: FLEET_ROWS, comparisons: fleetComparisons, goals: 2 },
  { rows: PICTURE_ROWS, comparisons: pictureComparisons, goals: 1 },
];

t.test('every comparison names two rows that are measured; goals hold where each side has a core', async (t) => {
  for (const { rows, comparisons, goals } of TABLES) {
    const names = new Set(rows.map(({ name }) => name));
    t.equal(names.size, rows.length);
    for (const { of, to } of comparisons('two-cores')) t.ok(names.has(of) && names.has(to), `${of} / ${to}`);
    const targets = (layout: 'one-core' | 'two-cores') =>
      comparisons(layout).filter(({ target }) => target !== undefined).length;
    t.same([targets('two-cores'), targets('one-core')], [goals, 0]);
  }
});

t.test('a sender’s work is told for each picture, and that of the sockets for each viewer’s', async (t) => {
  const [row] = PICTURE_ROWS.filter(({ viewers }) => viewers === 8);
  if (!row) throw new Error('eight viewers are not measured');
  const seen = {
    viewers: 8,
    seconds: 2,
    packets: 160,
    bytes: 4_800_000,
    leftOut: 0,
    pictures: 20,
    first: [],
    packetsByViewer: [],
    delay: { p50Us: 500, p95Us: 500, p99Us: 900, p999Us: 900, maxUs: 900 },
    coreShare: 0.1,
  };
  const figures = pictureFigures(row, [{ seen, socketCpuUs: 1_600, senderCpuUs: 4_000 }]);
  t.match(figures, { ...row, kilobytes: 30, p50Us: 500, p99Us: 900, perViewer: 10, packetCpuUs: 10, senderCpuUs: 200 });
});

t.test(
  'taps are answered and pictures shown through an edge and a host, beside the controls',
  { skip: !LocalNats.isInstalled() },
  async (t) => {
    const { text, figures, goals } = await fleet.run({
      seconds: 0.25,
      rounds: 1,
      layouts: ['two-cores'],
      controlsOnly: false,
      progress: () => undefined,
    });
    const { layouts } = figures as {
      layouts: readonly { rows: readonly RowFigures[]; pictures: readonly PictureFigures[] }[];
    };
    const { rows = [], pictures = [] } = layouts[0] ?? {};
    t.equal(rows.length, FLEET_ROWS.length);
    for (const { name, p50Us, perSecond } of rows) t.ok(p50Us > 0 && perSecond > 0, name);
    t.equal(pictures.length, PICTURE_ROWS.length);
    for (const { name, p50Us, perViewer, kilobytes } of pictures) {
      t.ok(p50Us > 0 && perViewer > 0, name);
      t.ok(kilobytes > 25 && kilobytes < 35, `${name}: pictures of about 30 KB`);
    }
    t.match(text, /edge and host/);
    t.match(goals, [
      { unit: 'ratio', goal: 1.8 },
      { unit: 'ratio', goal: 2.5 },
      { unit: 'ratio', goal: 1.3 },
    ]);
  },
);
