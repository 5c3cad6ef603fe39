import type { Orientation } from '@runcloud/protocol';
import t from 'tap';
import type { Point } from '../../../server/device/driver.ts';
import { SimulatorTouchState } from '../../../server/drivers/ios/simulator-touch-state.ts';

const PANEL = { width: 4, height: 8 };

/** A panel whose helper notes what it is told, in pixels of the panel. */
function panel(orientation: () => Orientation = () => 'portrait') {
  const told: string[] = [];
  const pixel = ({ x, y }: Point) => `${Math.floor(x * PANEL.width)},${Math.floor(y * PANEL.height)}`;
  const touch = (phase: string, points: readonly Point[]) => {
    told.push(`${phase} ${points.map(pixel).join(' ')}`);
  };
  return { panel: new SimulatorTouchState({ touch }, PANEL, orientation), told };
}

const at = (x: number, y: number) => [{ x, y }];

t.test('fingers that are down when others begin are lifted first, where they are', async (t) => {
  const { panel: touched, told } = panel();
  touched.touch('begin', at(0, 0));
  touched.touch('move', at(0.5, 0.5));
  touched.touch('begin', [...at(0, 0), ...at(1, 1)]);
  touched.touch('end', [...at(0, 0), ...at(1, 1)]);
  t.same(told, ['begin 0,0', 'move 2,4', 'end 2,4', 'begin 0,0 3,7', 'end 0,0 3,7']);
});

t.test('a touch is lifted only once, and its later steps are not sent', async (t) => {
  const { panel: touched, told } = panel();
  touched.lift();
  touched.touch('move', at(0.5, 0.5));
  touched.touch('cancel', []);
  t.same(told, []);
  touched.touch('begin', at(1, 1));
  touched.touch('cancel', []);
  touched.lift();
  touched.touch('move', at(0, 0));
  touched.touch('end', at(0, 0));
  t.same(told, ['begin 3,7', 'end 3,7']);
});

t.test('each gesture has the orientation that it began in', async (t) => {
  let orientation: Orientation = 'portrait';
  const { panel: touched, told } = panel(() => orientation);
  touched.touch('begin', at(0, 0));
  orientation = 'landscape_left';
  touched.touch('move', at(0, 0));
  touched.touch('end', at(0, 0));
  touched.touch('begin', at(0, 0));
  touched.lift();
  t.same(told, ['begin 0,0', 'move 0,0', 'end 0,0', 'begin 0,7', 'end 0,7']);
});
