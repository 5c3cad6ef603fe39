import t from 'tap';
import { attachedService } from '../support/android/attached-host.ts';
import { hasAdb } from '../support/android/has-adb.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';

t.test(
  'a device that takes calls and never gives a picture is not opened, and nothing of it runs on',
  { skip },
  async (t) => {
    const { server, device, session: open } = await attachedService(t, '3.3.4');
    const { scrcpy } = device.system;
    await server.rest.releaseSession((await open()).id);
    for (const [what, garble] of [
      ['nothing', () => Buffer.alloc(0)],
      ['half of a head', (bytes: Buffer) => bytes.subarray(0, Math.min(5, bytes.length))],
    ] as const) {
      scrcpy.garble = garble;
      const begunMs = performance.now();
      await t.rejects(open(), /simulator_unavailable/, what);
      t.ok(performance.now() - begunMs < 45_000);
      for (let tries = 0; tries < 100 && scrcpy.running.size > 0; tries++)
        await new Promise((go) => setTimeout(go, 50));
      t.equal(scrcpy.running.size, 0);
    }
    scrcpy.garble = (bytes) => bytes;
    await server.rest.releaseSession((await open()).id);
  },
);
