import t from 'tap';
import { pixelIndex } from '../../server/phone/geometry.ts';

t.test('0 is the first pixel, 1 the last, and nothing lies outside', async (t) => {
  for (const size of [1, 540, 590, 1200, 1280]) {
    t.equal(pixelIndex(0, size), 0);
    t.equal(pixelIndex(1, size), size - 1);
    t.equal(pixelIndex(-0.1, size), 0);
    t.equal(pixelIndex(1.5, size), size - 1);
  }
});

t.test('the quotient of a pixel and the size gives the pixel back', async (t) => {
  for (const size of [540, 590, 1200, 1280]) {
    for (let pixel = 0; pixel < size; pixel++) {
      if (pixelIndex(pixel / size, size) !== pixel) t.fail(`${pixel} of ${size}`);
      if (pixelIndex((pixel + 0.5) / size, size) !== pixel) t.fail(`middle of ${pixel} of ${size}`);
    }
  }
});
