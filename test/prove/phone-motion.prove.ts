import { PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import { watchMotions } from '../support/watch-motions.ts';

const ROUNDS = 5;
/** Beginning, way and end: so many come from a machine that is busy with something else, too. */
const PICTURES_LEAST = 3;

/**
 * The goal is 59 pictures a second, on a machine that has little else to do; the figures that are printed tell how near this one
 * comes. `test/phone/motion.test.ts` proves on a clock of its own that each motion has that many steps.
 */
for (const platform of PLATFORMS) {
  t.test(`${platform}: a viewer sees every motion of the phone move`, async (t) => {
    for (const { title, pictures, picturesPerSecond } of await watchMotions(platform, ROUNDS)) {
      const told = `${platform}, ${title}: ${picturesPerSecond.toFixed(1)} pictures a second, ${pictures} in all`;
      t.comment(told);
      t.ok(pictures >= PICTURES_LEAST, told);
    }
  });
}
