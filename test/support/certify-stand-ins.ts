import type { Test } from 'tap';
import { ROWS } from '../../server/certify/certify.ts';
import { type DriverUnderTest, EVERY_DRIVER } from '../conformance/drivers.ts';
import { hasAdb } from './android/has-adb.ts';
import { CertifyRun } from './certify-run.ts';
import { temporaryDataDir } from './server-process.ts';

/** The rows that the devices of a driver do not offer; every other driver's offer all of them. */
const NOT_OFFERED: Readonly<Record<string, readonly string[]>> = {
  virtual: [],
  'android-emulator': ['push', 'biometric', 'snapshot'],
  'android-adb': [
    'double-tap',
    'gesture',
    'two-fingers',
    'insert',
    'clipboard',
    'cancel',
    'location',
    'slow-network',
    'push',
    'biometric',
    'snapshot',
  ],
  'android-scrcpy-3.3.4': ['location', 'slow-network', 'push', 'biometric', 'snapshot'],
  'android-scrcpy-4.1': ['location', 'slow-network', 'push', 'biometric', 'snapshot'],
  'ios-simulator': ['slow-network'],
  'ios-simulator-idb': ['two-fingers', 'slow-network'],
};

export interface CertifiedDriver extends Pick<DriverUnderTest, 'open'> {
  readonly notOffered: readonly string[];
  /** Why its devices cannot be tried on this machine, or `false`. */
  readonly skip: string | false;
}

export function certifiedDriver(name: string): CertifiedDriver {
  const found = EVERY_DRIVER.find((driver) => driver.name === name);
  const notOffered = NOT_OFFERED[name];
  if (!found || !notOffered) throw new Error(`no driver is called ${name}`);
  const skip = name.startsWith('android') && !hasAdb && 'NO ADB: Android devices are NOT tested';
  return { notOffered, skip, open: (lanes) => found.open(lanes) };
}

/** Certifies a stand-in of a device of each driver, two beside each other. */
export function certifyStandIns(t: Test, names: readonly string[]): void {
  t.jobs = 2;
  for (const name of names) {
    const { notOffered, skip, open } = certifiedDriver(name);
    const title = `a stand-in of ${name} passes each row that it offers, and nothing is left`;
    t.test(title, { skip, buffered: true }, async (t) => {
      const folder = temporaryDataDir();
      const floor = await open(1);
      t.teardown(async () => {
        await floor.close();
        folder.remove();
      });
      const run = new CertifyRun(folder.path, [], floor.environment);
      t.match(await run.ended, { code: 0 }, run.stdout + run.stderr);
      t.same(
        run.outcomes,
        ROWS.map(({ id }) => [id, notOffered.includes(id) ? 'not offered' : 'passed']),
      );
      t.same(run.foldersLeft, []);
    });
  }
}
