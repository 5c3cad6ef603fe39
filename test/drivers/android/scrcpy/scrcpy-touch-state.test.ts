import t from 'tap';
import type { QuarterTurns } from '../../../../server/drivers/android/guest/orientation.ts';
import { ScrcpyTouchState } from '../../../../server/drivers/android/scrcpy/scrcpy-touch-state.ts';

const DISPLAY = { width: 1_080, height: 2_340 };
const ACTIONS = ['down', 'up', 'move'];

function panelOf(size: { width: number; height: number }, turns: QuarterTurns, display = DISPLAY) {
  const view = { size, turns };
  const sent: Buffer[] = [];
  const panel = new ScrcpyTouchState(
    (bytes) => sent.push(Buffer.from(bytes)),
    display,
    () => view,
  );
  /** The touches of each message since the last call: action, finger, place, size. */
  const told = () =>
    sent.splice(0).map((bytes) =>
      Array.from({ length: bytes.length / 32 }, (_, index) => {
        const message = bytes.subarray(index * 32, index * 32 + 32);
        const [action, finger] = [ACTIONS[message.readUInt8(1)], Number(message.readBigUInt64BE(2))];
        const place = `${message.readInt32BE(10)},${message.readInt32BE(14)}`;
        return `${action} ${finger} ${place} of ${message.readUInt16BE(18)}x${message.readUInt16BE(20)}`;
      }).join('; '),
    );
  return { panel, view, told };
}

t.test('a finger lands on its pixel of the picture, however the device is turned', async (t) => {
  const shares = [0, 0.5, 1];
  for (const turns of [0, 1, 2, 3] as const) {
    const lying = turns % 2 === 1;
    const size = lying ? { width: 2_340, height: 1_080 } : DISPLAY;
    const { panel, told } = panelOf(size, turns);
    for (const x of shares) {
      for (const y of shares) {
        panel.touch('begin', [{ x, y }]);
        const place = [Math.min(size.width - 1, x * size.width), Math.min(size.height - 1, y * size.height)].join();
        t.same(told(), [`down 0 ${place} of ${size.width}x${size.height}`], `${turns} turns`);
        panel.touch('end', [{ x, y }]);
        t.same(told(), [`up 0 ${place} of ${size.width}x${size.height}`]);
      }
    }
  }
});

t.test('fingers of one step go in one piece, and leave where they are', async (t) => {
  const { panel, told } = panelOf({ width: 1_080, height: 2_340 }, 0);
  const at = (apart: number) => [
    { x: 0.5 - apart, y: 0.5 },
    { x: 0.5 + apart, y: 0.5 },
  ];
  panel.touch('begin', at(0.1));
  panel.touch('move', at(0.2));
  panel.touch('end', at(0.3));
  const size = 'of 1080x2340';
  t.same(told(), [
    `down 0 432,1170 ${size}; down 1 648,1170 ${size}`,
    `move 0 324,1170 ${size}; move 1 756,1170 ${size}`,
    `move 0 216,1170 ${size}; move 1 864,1170 ${size}`,
    `up 0 216,1170 ${size}; up 1 864,1170 ${size}`,
  ]);
  panel.touch('move', at(0.1));
  panel.lift();
  t.same(told(), [], 'nothing is down');
});

t.test('a gesture that is begun anew or given up lifts its fingers', async (t) => {
  const { panel, told } = panelOf(DISPLAY, 0);
  panel.touch('begin', [{ x: 0, y: 0 }]);
  panel.touch('begin', [{ x: 0.5, y: 0.5 }]);
  panel.touch('cancel', []);
  t.same(
    told().map((text) => text.split(' of')[0]),
    ['down 0 0,0', 'up 0 0,0', 'down 0 540,1170', 'up 0 540,1170'],
  );
});

t.test('a device that turns under a finger keeps it on its place of the glass, and told in the new size', async (t) => {
  const { panel, view, told } = panelOf(DISPLAY, 0);
  panel.touch('begin', [{ x: 0, y: 0 }]);
  told();
  view.size = { width: 2_340, height: 1_080 };
  view.turns = 1;
  panel.resized();
  t.same(told(), [], 'it is down');
  panel.touch('move', [{ x: 0.5, y: 0 }]);
  // Turned counter-clockwise, the left upper corner is the left lower one.
  t.same(told(), ['move 0 0,539 of 2340x1080']);
  panel.touch('end', [{ x: 0.5, y: 0 }]);
  t.same(told(), ['up 0 0,539 of 2340x1080']);
  view.size = DISPLAY;
  view.turns = 0;
  panel.resized();
  t.same(told(), ['up 0 540,0 of 1080x2340'], 'a lift that may have been let go by is told again');
  panel.resized();
  t.same(told(), [], 'once');
});

t.test('a display that unfolds is touched in the form that is seen', async (t) => {
  const { panel, told } = panelOf({ width: 2_000, height: 2_208 }, 0);
  panel.touch('begin', [{ x: 0.5, y: 0.5 }]);
  t.same(told(), ['down 0 1000,1104 of 2000x2208']);
});
