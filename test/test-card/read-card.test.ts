import sharp from 'sharp';
import t from 'tap';
import { bitOf, bitRects, CARD_COLOURS, type CardRect, cardNonce, cornerRects } from '../../server/test-card/layout.ts';
import { type RgbPicture, readCard } from '../../server/test-card/read-card.ts';
import { encodeReadings } from '../../server/test-card/readings.ts';
import { TestCard } from '../../server/test-card/test-card.ts';

const AREA = { x: 7, y: 60, width: 400, height: 700 };

function fill({ width: row, pixels }: RgbPicture, { x, y, width, height }: CardRect, rgb: number): void {
  for (let line = y; line < y + height; line++) {
    for (let at = line * row + x; at < line * row + x + width; at++) {
      pixels.set([rgb >>> 16, (rgb >>> 8) & 0xff, rgb & 0xff], at * 3);
    }
  }
}

/** A display with a card on it, painted by the layout alone. */
function painted(card: TestCard, area: CardRect = AREA): RgbPicture {
  const picture = { width: 420, height: 800, pixels: new Uint8Array(420 * 800 * 3).fill(200) };
  const put = (part: CardRect, rgb: number) => fill(picture, { ...part, x: area.x + part.x, y: area.y + part.y }, rgb);
  fill(picture, area, CARD_COLOURS.ground);
  for (const corner of cornerRects(area)) put(corner, CARD_COLOURS.corner);
  const bytes = encodeReadings(card.readings);
  for (const [bit, cell] of bitRects(area).entries())
    put(cell, bitOf(bytes, bit) ? CARD_COLOURS.one : CARD_COLOURS.zero);
  for (const { finger, x, y } of card.marks) put({ x, y, width: 1, height: 1 }, CARD_COLOURS.fingers[finger] ?? 0);
  return picture;
}

function touchedCard(): TestCard {
  const card = new TestCard({ nonce: 77, visits: 2, grain: 1, slop: 10 });
  card.touch(
    'begin',
    [
      { x: 50, y: 600 },
      { x: 333, y: 0 },
    ],
    0,
  );
  return card;
}

t.test('a card is found where it lies, with its readings and the pixels that were touched', async (t) => {
  const card = touchedCard();
  t.same(readCard(painted(card)), {
    area: AREA,
    readings: card.readings,
    marks: [
      { finger: 0, x: 57, y: 660 },
      { finger: 1, x: 340, y: 60 },
    ],
  });
});

t.test('a card is read out of a JPEG too', async (t) => {
  const card = touchedCard();
  const { width, height, pixels } = painted(card);
  const jpeg = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 80 })
    .toBuffer();
  const decoded = await sharp(jpeg).raw().toBuffer();
  t.same(readCard({ width, height, pixels: decoded }, AREA)?.readings, card.readings);
});

t.test('a card whose lower part is hidden is read only where it is known to lie', async (t) => {
  const card = touchedCard();
  const picture = painted(card);
  fill(picture, { x: 0, y: 500, width: 420, height: 300 }, 0x999999);
  t.equal(readCard(picture), undefined);
  t.same(readCard(picture, AREA)?.readings, card.readings);
});

t.test('nothing is read where no card is, and none that was turned', async (t) => {
  const { width, height, pixels } = painted(touchedCard());
  t.equal(readCard({ width, height, pixels: new Uint8Array(pixels.length) }, AREA), undefined);
  const turned = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .rotate(180)
    .raw()
    .toBuffer();
  t.equal(readCard({ width, height, pixels: turned }, AREA), undefined);
});

t.test('only the address of a card is one', (t) => {
  t.equal(cardNonce('http://10.0.2.2:123/runcloud-test-card?n=0'), 0);
  t.equal(cardNonce('http://h/runcloud-test-card?n=255'), 255);
  for (const other of [
    'http://h/runcloud-test-card?n=256',
    'http://h/runcloud-test-card',
    'http://h/x?n=1',
    'ftp://h/runcloud-test-card?n=1',
  ]) {
    t.equal(cardNonce(other), undefined, other);
  }
  t.end();
});
