import fc from 'fast-check';
import t from 'tap';
import { fit, fitEven } from '../../../server/host/stream/fit.ts';

t.test('a picture within the bound keeps its size; a larger one keeps its shape', (t) => {
  t.strictSame(fit({ width: 590, height: 1280 }, undefined), { width: 590, height: 1280 });
  t.strictSame(fit({ width: 590, height: 1280 }, 2_000), { width: 590, height: 1280 });
  t.strictSame(fit({ width: 590, height: 1280 }, 640), { width: 295, height: 640 });
  t.strictSame(fit({ width: 1280, height: 590 }, 640), { width: 640, height: 295 });
  t.strictSame(fitEven({ width: 1179, height: 2556 }, undefined), { width: 1178, height: 2556 });
  t.strictSame(fitEven({ width: 1, height: 9_999 }, 64), { width: 2, height: 64 });
  t.end();
});

t.test('even sizes are even, within the bound, and near the shape', (t) => {
  const edge = fc.integer({ min: 16, max: 4_000 });
  fc.assert(
    fc.property(edge, edge, fc.integer({ min: 16, max: 4_000 }), (width, height, bound) => {
      const size = fitEven({ width, height }, bound);
      const share = Math.min(1, bound / Math.max(width, height));
      return (
        size.width % 2 === 0 &&
        size.height % 2 === 0 &&
        Math.max(size.width, size.height) <= bound &&
        Math.abs(size.width - width * share) <= 2 &&
        Math.abs(size.height - height * share) <= 2
      );
    }),
  );
  t.end();
});
