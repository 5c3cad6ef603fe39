import fc from 'fast-check';
import t from 'tap';
import { DURATION_PATTERN, formatDuration, parseDurationMs } from '../../protocol/terms.ts';

t.test('a duration is a whole number and a unit', async (t) => {
  for (const [text, ms] of [
    ['0s', 0],
    ['250ms', 250],
    ['90s', 90_000],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['999999999ms', 999_999_999],
  ] as const) {
    t.equal(parseDurationMs(text), ms, text);
    t.match(text, new RegExp(DURATION_PATTERN));
  }
});

t.test('anything else is not a duration', async (t) => {
  for (const text of ['', '10', 's', '1.5h', '-1s', '+1s', '1 s', ' 1s', '1s ', '1s\n', '1d', '1S', '1h30m', '1e3s']) {
    t.equal(parseDurationMs(text), undefined, JSON.stringify(text));
    t.notMatch(text, new RegExp(DURATION_PATTERN));
  }
  t.equal(parseDurationMs('1234567890s'), undefined, 'ten digits');
});

t.test('a formatted duration parses to the same number', async () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 86_400_000 }), (ms) => parseDurationMs(formatDuration(ms)) === ms));
});

t.test('the largest unit that divides the duration is used', async (t) => {
  t.strictSame([500, 90_000, 600_000, 7_200_000].map(formatDuration), ['500ms', '90s', '10m', '2h']);
});
