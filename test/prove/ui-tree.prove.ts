import t from 'tap';
import { holdTree, TURNED } from '../phone/ui-places.ts';

for (const platform of ['ios', 'android'] as const) {
  for (const orientation of TURNED[platform]) holdTree(t, platform, orientation, 9, 17);
}
