import { PLATFORMS, type Platform } from '@runcloud/protocol/terms';
import t from 'tap';
import { ManualPhone } from './manual-phone.ts';
import { MOTION_MS_MAX, MOTIONS, type Motion } from './motions.ts';

/** The least of them counts, picture by picture: the rest is the warming up of the code, and the machine's other work. */
const ROUNDS = 3;

/** Other load can only make a motion dearer, so one good series is a proof. */
const SERIES = 3;

const PICTURE_MS = 16;

/** The most that a picture of a motion may cost, on average, in whole pictures of the app Motion: they fade, scale and turn. */
const COST_MAX = 12;

const APP_MOTION: Motion = {
  title: 'the app Motion',
  prepare: (subject) => subject.open('motion'),
  act: () => undefined,
};

/** Milliseconds of the processor for one picture of a motion, on average; with `whole`, of one that is drawn anew. */
function pictureMs(platform: Platform, { prepare, act }: Motion, whole = false): number {
  const least: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const subject = new ManualPhone(platform);
    const { phone, clock } = subject;
    prepare(subject);
    clock.advance(MOTION_MS_MAX);
    let { version } = phone.render();
    act(subject);
    for (let index = 0; index * PICTURE_MS <= MOTION_MS_MAX; index++) {
      const before = process.cpuUsage();
      const picture = whole ? phone.redraw() : phone.render();
      const { user, system } = process.cpuUsage(before);
      if (picture.version > version) least[index] = Math.min(least[index] ?? Number.POSITIVE_INFINITY, user + system);
      ({ version } = picture);
      clock.advance(PICTURE_MS);
    }
    phone.close();
  }
  // Without the places of pictures that showed nothing new.
  const all = Object.values(least);
  return all.reduce((sum, microseconds) => sum + microseconds, 0) / all.length / 1_000;
}

for (const platform of PLATFORMS) {
  t.test(`${platform}: no motion costs much more to draw than the app that always moves`, async (t) => {
    let unitMs: number | undefined;
    for (const motion of MOTIONS.filter(({ platforms = PLATFORMS }) => platforms.includes(platform))) {
      const costs: string[] = [];
      let isGood = false;
      while (!isGood && costs.length < SERIES) {
        unitMs ??= pictureMs(platform, APP_MOTION, true);
        const ms = pictureMs(platform, motion);
        costs.push(`${ms.toFixed(1)} ms a picture, ${(ms / unitMs).toFixed(1)} of the app Motion`);
        isGood = ms / unitMs <= COST_MAX;
        if (!isGood) unitMs = undefined;
      }
      t.ok(isGood, `${motion.title}: ${costs.join('; ')}`);
    }
  });
}
