import type { Orientation } from '@runcloud/protocol';
import t from 'tap';
import type { DeviceWord } from '../../../server/drivers/ios/devicectl.ts';
import { Rotation } from '../../../server/drivers/ios/rotation.ts';

const UDID = '01234567-89AB-CDEF-0123-456789ABCDEF';

// Pauses between two attempts do not keep a process.
const alive = setInterval(() => undefined, 1_000);
t.teardown(() => clearInterval(alive));

const TURNED: Readonly<Record<DeviceWord, Orientation>> = {
  portrait: 'portrait',
  portraitUpsideDown: 'portrait_upside_down',
  landscapeLeft: 'landscape_right',
  landscapeRight: 'landscape_left',
};

interface World {
  /** `devicectl` uses left and right as interface orientations do. */
  readonly sameSides?: boolean;
  /** `devicectl` is there, and says what the interface came to. */
  readonly devicectl?: 'tells' | 'is silent';
  /** Nothing turns, whatever is asked for. */
  readonly stubborn?: boolean;
}

function rotationIn({ sameSides = false, devicectl, stubborn = false }: World) {
  const asked: string[] = [];
  let seen: Orientation = 'portrait';
  const hold = (orientation: Orientation) => {
    if (!stubborn) seen = orientation;
  };
  const opposite: Partial<Record<Orientation, Orientation>> = {
    landscape_left: 'landscape_right',
    landscape_right: 'landscape_left',
  };
  const rotation = new Rotation({
    udid: UDID,
    helper: {
      rotate: async (orientation) => {
        asked.push(orientation);
        hold(orientation);
      },
      taken: async () => undefined,
    },
    devicectl: devicectl && {
      setOrientation: async (_udid, word) => {
        asked.push(word);
        const turned = TURNED[word];
        hold(sameSides ? (opposite[turned] ?? turned) : turned);
      },
      display: async () => ({ scale: 3, orientation: devicectl === 'tells' ? seen : undefined }),
    },
    pictureSize: async () => (seen.startsWith('landscape') ? { width: 20, height: 10 } : { width: 10, height: 20 }),
  });
  return { rotation, asked, seen: () => seen };
}

t.test('devicectl is asked in its own words, and read back', async (t) => {
  const { rotation, asked, seen } = rotationIn({ devicectl: 'tells' });
  await rotation.turn('landscape_left', 'portrait');
  t.same([asked, seen()], [['landscapeRight'], 'landscape_left']);
});

t.test('a release that means the other side is understood by what it did, once for all', async (t) => {
  const { rotation, asked, seen } = rotationIn({ devicectl: 'tells', sameSides: true });
  await rotation.turn('landscape_left', 'portrait');
  t.same([asked, seen()], [['landscapeRight', 'landscapeLeft'], 'landscape_left']);
  await rotation.turn('landscape_right', 'landscape_left');
  t.same([asked.slice(2), seen()], [['landscapeRight'], 'landscape_right']);
});

for (const devicectl of ['is silent', undefined] as const) {
  t.test(`where devicectl ${devicectl ?? 'is not there'} the shape of the picture tells`, async (t) => {
    const { rotation, asked } = rotationIn({ ...(devicectl ? { devicectl } : {}) });
    await rotation.turn('landscape_right', 'portrait');
    await rotation.turn('portrait', 'landscape_right');
    t.same(asked, devicectl ? ['landscapeLeft', 'portrait'] : ['landscape_right', 'portrait']);
  });
}

t.test('an app that does not turn fails it, and the device is held as before', async (t) => {
  await Promise.all(
    (['tells', 'is silent', undefined] as const).map(async (devicectl) => {
      const { rotation, asked } = rotationIn({ stubborn: true, ...(devicectl ? { devicectl } : {}) });
      await t.rejects(rotation.turn('landscape_left', 'portrait'), { name: 'DeviceFault', kind: 'failed' });
      t.equal(asked.at(-1), 'portrait');
    }),
  );
});

t.test('a turn that is given up ends while it is waited for', async (t) => {
  let isSeen = false;
  const patient = rotationIn({ stubborn: true })
    .rotation.turn('landscape_left', 'portrait')
    .catch(() => {
      isSeen = true;
    });
  const { rotation } = rotationIn({ stubborn: true });
  const signal = AbortSignal.timeout(50);
  await t.rejects(rotation.turn('landscape_left', 'portrait', signal), { name: 'DeviceFault', kind: 'aborted' });
  t.notOk(isSeen, 'before it would have been seen not to turn');
  await patient;
  t.ok(isSeen);
});
