import t from 'tap';
import { readCard } from '../../../server/test-card/read-card.ts';
import { keyHash, textHash } from '../../../server/test-card/readings.ts';
import { ManualPhone } from '../manual-phone.ts';

const URL_7 = 'http://127.0.0.1:1/runcloud-test-card?n=7';

function seen(subject: ManualPhone) {
  const { width, height, pixels } = subject.phone.render();
  const rgb = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++) rgb.set(pixels.subarray(at * 4, at * 4 + 3), at * 3);
  const card = readCard({ width, height, pixels: rgb });
  if (!card) throw new Error('no card is seen');
  return card;
}

for (const platform of ['ios', 'android'] as const) {
  t.test(`the browser of ${platform} shows a test card, which tells what it received by its picture`, async (t) => {
    const subject = new ManualPhone(platform);
    subject.phone.openUrl(URL_7, 1);
    subject.clock.advance(2_000);
    const { area, readings } = seen(subject);
    t.match(readings, { nonce: 7, visits: 1, taps: 0, grain: 1 });
    const at = { x: area.x + 31, y: area.y + area.height - 60 };
    subject.tap(at);
    subject.phone.typeText('Hello', 3);
    subject.press('enter');
    const after = seen(subject);
    t.same(after.marks, [{ finger: 0, ...at }]);
    t.match(after.readings, {
      taps: 1,
      textLength: 5,
      textHash: textHash('Hello'),
      keys: 1,
      lastKey: keyHash('enter'),
    });
    subject.phone.clipboard = 'Grüße';
    subject.press('v', [platform === 'ios' ? 'meta' : 'control']);
    t.match(seen(subject).readings, { textLength: 10, textHash: textHash('HelloGrüße'), keys: 2 });
    subject.phone.openUrl(URL_7, 4);
    subject.clock.advance(2_000);
    t.match(seen(subject).readings, { visits: 2, taps: 0, keys: 0, textLength: 0 });
  });
}
