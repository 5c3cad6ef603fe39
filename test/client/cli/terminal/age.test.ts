import t from 'tap';
import { ageOf, spanOf } from '../../../../client/cli/terminal/age.ts';

const NOW_MS = Date.parse('2026-03-01T12:00:00.000Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

t.test('a time is told in a unit of which there are some', (t) => {
  for (const [ms, told] of [
    [1_400, '1 s'],
    [90 * SECOND, '90 s'],
    [2 * MINUTE - SECOND / 2, '2 min'],
    [10 * MINUTE - SECOND, '10 min'],
    [90 * MINUTE, '90 min'],
    [2 * HOUR - MINUTE / 2, '2 h'],
    [36 * HOUR, '36 h'],
    [30 * 24 * HOUR - MINUTE, '30 d'],
  ] as const) {
    t.equal(spanOf(ms), told);
    t.equal(ageOf(new Date(NOW_MS - ms).toISOString(), NOW_MS), `${told} ago`);
    t.equal(ageOf(new Date(NOW_MS + ms).toISOString(), NOW_MS), `in ${told}`);
  }
  t.end();
});

t.test('this moment is now, and what is no time stays as it is', (t) => {
  t.equal(ageOf(new Date(NOW_MS + 400).toISOString(), NOW_MS), 'now');
  t.equal(ageOf('soon', NOW_MS), 'soon');
  t.equal(ageOf(undefined, NOW_MS), '');
  t.end();
});
