import { ORIENTATIONS, type Orientation } from '@runcloud/protocol/terms';
import t from 'tap';
import { physicalPoint } from '../../../server/drivers/ios/physical-point.ts';

const PANEL = { width: 590, height: 1280 };

/** The panel's pixels as a person sees them who holds the device that way: turned as a picture, by quarters. */
function seen(orientation: Orientation): string[][] {
  let rows = Array.from({ length: PANEL.height }, (_, y) => {
    return Array.from({ length: PANEL.width }, (_, x) => `${x},${y}`);
  });
  const quarter = (grid: string[][]) => (grid[0] ?? []).map((_, x) => grid.map((row) => row[x] ?? '').reverse());
  // Clockwise: the top of the panel comes to lie on the right.
  const quarters = { portrait: 0, landscape_left: 1, portrait_upside_down: 2, landscape_right: 3 }[orientation];
  for (let turn = 0; turn < quarters; turn++) rows = quarter(rows);
  return rows;
}

t.test('nine points of each of four orientations land on the pixel that a person points at', async (t) => {
  for (const orientation of ORIENTATIONS) {
    const picture = seen(orientation);
    const [height, width] = [picture.length, picture[0]?.length ?? 0];
    for (const x of [0, 0.5, 1]) {
      for (const y of [0, 0.5, 1]) {
        const column = Math.min(width - 1, Math.floor(x * width));
        const row = Math.min(height - 1, Math.floor(y * height));
        const point = physicalPoint({ x, y }, orientation, PANEL);
        const pixel = `${Math.floor(point.x * PANEL.width)},${Math.floor(point.y * PANEL.height)}`;
        t.equal(pixel, picture[row]?.[column], `${orientation} ${x} ${y}`);
      }
    }
  }
});

t.test('a point lies in the middle of its pixel, so that rounding cannot move it', async (t) => {
  for (const orientation of ORIENTATIONS) {
    const { x, y } = physicalPoint({ x: 0.3, y: 0.1 + 0.2 }, orientation, PANEL);
    for (const [share, size] of [
      [x, PANEL.width],
      [y, PANEL.height],
    ] as const) {
      t.ok(Math.abs((share * size) % 1) - 0.5 < 1e-6, `${orientation} ${share * size}`);
    }
  }
});
