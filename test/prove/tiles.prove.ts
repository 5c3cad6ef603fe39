import t from 'tap';
import { walkWithTiles } from '../support/tile-walk.ts';
import { compareTypingTraffic } from '../support/typing-traffic.ts';

/** `PROVE_TILE_STEPS` makes it shorter or longer. */
const STEPS = Number(process.env.PROVE_TILE_STEPS ?? 5_000);

for (const platform of ['ios', 'android'] as const) {
  t.test(
    `${platform}: after thousands of inputs tiles have made the whole picture each time`,
    { timeout: 3_400_000 },
    (t) => walkWithTiles(t, platform, STEPS, 20_261_128),
  );
}

for (const platform of ['ios', 'android'] as const) {
  t.test(`${platform}: a minute of typing costs tiles a tenth of what it costs JPEG`, { timeout: 200_000 }, (t) =>
    compareTypingTraffic(t, platform, 60),
  );
}
