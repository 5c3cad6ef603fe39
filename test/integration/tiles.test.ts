import t from 'tap';
import { walkWithTiles } from '../support/tile-walk.ts';

for (const platform of ['ios', 'android'] as const) {
  t.test(
    `${platform}: tiles make the picture that a JPEG of the whole shows, whatever happens`,
    { timeout: 200_000 },
    (t) => walkWithTiles(t, platform, 40, 1 + Math.floor(Math.random() * 1_000_000)),
  );
}
