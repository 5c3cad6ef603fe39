import t from 'tap';
import { profileFor, profileKey } from '../../server/screen/profile.ts';

const DEVICE = { width: 590, height: 1_280 };

t.test('the first wanted encoding that is offered is taken', async (t) => {
  t.equal(profileFor({ encodings: ['png', 'h264'] }, DEVICE)?.encoding, 'png');
  t.equal(profileFor({ encodings: ['h264', 'png'] }, DEVICE)?.encoding, 'h264');
  t.equal(profileFor({ encodings: [] }, DEVICE), undefined);
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

t.test('profiles that differ have different keys', async (t) => {
  const base = { encoding: 'jpeg', quality: 80, maxFps: 60 } as const;
  const others = [
    base,
    { ...base, encoding: 'h264' as const },
    { ...base, quality: 8 },
    { ...base, maxFps: 6 },
    { ...base, maxLongEdge: 80 },
  ];
  t.equal(new Set(others.map(profileKey)).size, others.length);
});
