import t from 'tap';
import { walkWithTiles } from '../support/tile-walk.ts';
import { compareTypingTraffic } from '../support/typing-traffic.ts';

for (const platform of ['ios', 'android'] as const) {
  t.test(
    `${platform}: tiles make the picture that a JPEG of the whole shows, whatever happens`,
    { timeout: 200_000 },
    (t) => walkWithTiles(t, platform, 40, 1 + Math.floor(Math.random() * 1_000_000)),
  );
}

for (const platform of ['ios', 'android'] as const) {
  t.test(`${platform}: typing costs tiles a tenth of what it costs JPEG`, { timeout: 60_000 }, (t) =>
    compareTypingTraffic(t, platform, 6),
  );
}
