import t from 'tap';
import { profileFor, profileKey } from '../../server/screen/profile.ts';

const DEVICE = { width: 590, height: 1_280 };
/** Folded. */
const WIDE = {
  width: 300,
  height: 700,
  displays: [
    { name: 'inner', width: 800, height: 900, scale: 1, active: false },
    { name: 'outer', width: 300, height: 700, scale: 1, active: true },
  ],
};

t.test('the first wanted encoding that is offered is taken', async (t) => {
  t.equal(profileFor({ encodings: ['png', 'h264'] }, DEVICE).encoding, 'png');
  t.equal(profileFor({ encodings: ['h264', 'png'] }, DEVICE).encoding, 'h264');
  t.throws(() => profileFor({ encodings: [] }, DEVICE), { code: 'invalid_request', message: /"encodings"/ });
});

t.test(
  'fields that are absent have their defaults, and an edge that the device does not reach is ignored',
  async (t) => {
    t.same(profileFor({ encodings: ['jpeg'] }, DEVICE), { encoding: 'jpeg', quality: 80, maxFps: 60 });
    t.same(profileFor({ encodings: ['jpeg'], maxLongEdge: 1_280 }, DEVICE), {
      encoding: 'jpeg',
      quality: 80,
      maxFps: 60,
    });
    t.same(profileFor({ encodings: ['h264'], maxLongEdge: 640, maxFps: 30, quality: 5 }, DEVICE), {
      encoding: 'h264',
      quality: 5,
      maxFps: 30,
      maxLongEdge: 640,
    });
  },
);

t.test(
  'a stream of one display is compared with that one, others with the largest that may become active',
  async (t) => {
    const edgeOf = (maxLongEdge: number, display?: string) =>
      profileFor({ encodings: ['jpeg'], maxLongEdge, ...(display === undefined ? {} : { display }) }, WIDE).maxLongEdge;
    t.strictSame([edgeOf(700, 'outer'), edgeOf(699, 'outer')], [undefined, 699]);
    t.strictSame([edgeOf(700), edgeOf(900)], [700, undefined], 'also while the smaller one is active');
  },
);

t.test('a display that the device does not have is refused with those that it has', async (t) => {
  const refusal = (device: typeof DEVICE) => {
    try {
      return profileFor({ encodings: ['jpeg'], display: 'rear' }, device);
    } catch (error) {
      return error;
    }
  };
  t.match(refusal(WIDE), { code: 'invalid_request', message: '"display" must be one of inner, outer.' });
  t.match(refusal(DEVICE), {
    code: 'invalid_request',
    message: /"display" must be absent: this device has one display/,
  });
  t.strictSame(profileFor({ encodings: ['jpeg'], display: 'outer' }, WIDE), {
    encoding: 'jpeg',
    quality: 80,
    maxFps: 60,
    display: 'outer',
  });
});

t.test('profiles that differ have different keys', async (t) => {
  const base = { encoding: 'jpeg', quality: 80, maxFps: 60 } as const;
  const others = [
    base,
    { ...base, encoding: 'h264' as const },
    { ...base, quality: 8 },
    { ...base, maxFps: 6 },
    { ...base, maxLongEdge: 80 },
    { ...base, display: 'inner' },
    { ...base, display: 'outer' },
  ];
  t.equal(new Set(others.map(profileKey)).size, others.length);
});
