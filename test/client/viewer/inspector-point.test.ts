import type { UiFrame, UiNode } from '@runcloud/protocol';
import t from 'tap';
import { nodeAt } from '../../../client/viewer/inspector/at-point.ts';

const at = (x: number, y: number, width: number, height: number): UiFrame => ({ x, y, width, height });

const SCREEN: readonly UiNode[] = [
  {
    role: 'app',
    name: 'Notes',
    frame: at(0, 0, 1, 1),
    children: [
      {
        role: 'cell',
        name: 'Row',
        frame: at(0, 0.2, 1, 0.1),
        children: [{ role: 'button', name: 'Delete', frame: at(0.8, 0.2, 0.2, 0.1) }],
      },
      { role: 'alert', name: 'Sure?', frame: at(0.2, 0.25, 0.4, 0.5) },
      { role: 'other', frame: at(0, 0, 1, 1) },
    ],
  },
  { role: 'text', name: '9:41', frame: at(0, 0, 0.2, 0.05), system: true },
];
const nameAt = (x: number, y: number) => nodeAt(SCREEN, { x, y })?.name;

t.test('what is drawn last and says something is at a point', async (t) => {
  t.equal(nameAt(0.9, 0.25), 'Delete', 'the innermost');
  t.equal(nameAt(0.1, 0.27), 'Row');
  t.equal(nameAt(0.3, 0.27), 'Sure?', 'what lies over others');
  t.equal(nameAt(0.1, 0.01), '9:41');
});

t.test('a wrapper is found only where nothing else is, and nothing outside of all', async (t) => {
  t.match(nodeAt(SCREEN, { x: 0.5, y: 0.9 }), { role: 'other' });
  t.equal(nodeAt(SCREEN.slice(1), { x: 0.5, y: 0.9 }), undefined);
});
