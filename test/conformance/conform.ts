import type { DeviceCapabilities, Platform } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { closeIdleConnections } from '../support/idle-connections.ts';
import { startServer } from '../support/server.ts';
import { sessionInTime } from '../support/sessions-in-time.ts';
import { abilities, DRIVERS } from './drivers.ts';
import { type Stage, Subject } from './subject.ts';
import { TRANSPORTS } from './transport.ts';

/** One sentence of the contract, proven on every driver and platform. */
export interface Proof<Material> {
  readonly title: string;
  /** Only these; every platform where absent. */
  readonly platforms?: readonly Platform[];
  /** Only on devices that can do this; on every one where absent. */
  readonly needs?: (can: DeviceCapabilities, platform: Platform) => boolean;
  prove(t: Test, material: Material): Promise<void>;
}

/** Proofs that see one transport at a time and hold over each of them. */
export type Case = Proof<Subject>;

/** Proofs that mix transports, or that need one in particular. */
export type StageCase = Proof<Stage>;

/** Cases that share one session, one after the other. */
interface Lane {
  readonly name: string;
  readonly cases: readonly StageCase[];
}

/** Runs each case over each transport, on each platform of each driver. */
export function conform(cases: readonly Case[]): void {
  run(
    TRANSPORTS.map((kind) => ({
      name: `over ${kind.name}`,
      cases: cases.map(({ prove, ...rest }) => ({
        ...rest,
        async prove(t, stage) {
          const subject = await Subject.open(stage, kind);
          try {
            await subject.goHome();
            await prove(t, subject);
          } finally {
            await subject.transport.close();
          }
        },
      })),
    })),
  );
}

/** Runs each case on each platform of each driver. */
export function conformOnStages(cases: readonly StageCase[]): void {
  run([{ name: 'over any transport', cases }]);
}

/** Runs of this file that have not ended yet. */
let pendingRuns = 0;

/** Lanes have sessions of their own and mostly wait for fingers and keys, so they run side by side. */
function run(lanes: readonly Lane[]): void {
  for (const driver of DRIVERS) {
    pendingRuns++;
    t.test(`driver ${driver.name}`, async (t) => {
      const floor = await driver.open(lanes.length);
      const server = await startServer(floor.environment);
      t.teardown(async () => {
        await server.close();
        await floor.close();
        if (--pendingRuns === 0) await closeIdleConnections();
      });
      t.jobs = driver.platforms.length * lanes.length;
      const runLane = (platform: Platform, { name, cases }: Lane) =>
        t.test(`${platform}, ${name}`, { buffered: true }, async (t) => {
          const session = await sessionInTime(server, platform);
          const can = abilities(driver, platform);
          for (const { title, platforms, needs, prove } of cases) {
            if ((platforms && !platforms.includes(platform)) || (needs && !needs(can, platform))) continue;
            await t.test(title, (t) => prove(t, { server, driver, floor, session }));
          }
        });
      await Promise.all(driver.platforms.flatMap((platform) => lanes.map((lane) => runLane(platform, lane))));
    });
  }
}
