import type { IosApp } from '../../device/app-package.ts';
import type { Device, DeviceDescriptor, DeviceOptions, FoundDevice } from '../../device/driver.ts';
import type { DeviceQuery, DeviceTarget, ToolEnvironment } from '../../device/target.ts';
import { systemClock } from '../../flow/clock.ts';
import type { DeviceDriver } from '../device-driver.ts';
import { watchHealth } from '../health.ts';
import { pngSize } from '../png-size.ts';
import { requireProgram } from '../process/find-program.ts';
import { findHelper } from './find-helper.ts';
import { checkSimulatorInput } from './input-check.ts';
import { Rotation } from './rotation.ts';
import { Simctl } from './simctl.ts';
import { SimulatorDevice } from './simulator-device.ts';
import { SimulatorScreen } from './simulator-screen.ts';
import { type ReadySimulator, SimulatorSlot } from './simulator-slot.ts';
import { SimulatorTouchState } from './simulator-touch-state.ts';
import { isUdid } from './udid.ts';
import { withUnpackedApp } from './unpack-app.ts';

const XCODE_REMEDY =
  'simulators need a Mac with Xcode; install Xcode and run `sudo xcode-select --switch /Applications/Xcode.app`';
const SYSTEM_PROGRAMS = ['/usr/bin'];

/** How often a simulator that a session has is asked whether it still runs. */
const HEALTH_MS = 15_000;

/** iOS Simulators of this Mac. */
export class IosDriver implements DeviceDriver {
  readonly #slots = new Map<string, SimulatorSlot>();
  readonly #healthMs: number;

  /** @param healthMs how often a simulator that a session has is asked whether it still runs */
  constructor(healthMs = HEALTH_MS) {
    this.#healthMs = healthMs;
  }

  async discover({ driver, which, count = 1, tools }: DeviceQuery): Promise<readonly FoundDevice[]> {
    const xcrun = requireProgram('xcrun', XCODE_REMEDY, tools, SYSTEM_PROGRAMS);
    findHelper(tools);
    const list = await new Simctl(xcrun, tools).list();
    const known = isUdid(which)
      ? list.simulators.find(({ udid }) => udid === which)
      : list.deviceTypes.find(({ name, identifier }) => name === which || identifier === which);
    if (!known) return [];
    const descriptor = description({ model: known.name });
    return Array.from({ length: count }, (_, index) => {
      const target: DeviceTarget = { driver, id: `${which}*${index + 1}`, facts: { which }, tools };
      return { platform: 'ios', target, descriptor };
    });
  }

  async makeReady(target: DeviceTarget): Promise<DeviceDescriptor> {
    return description(await this.#slot(target).prepare());
  }

  async open(target: DeviceTarget, options: DeviceOptions): Promise<Device> {
    const slot = this.#slot(target);
    const ready = await slot.prepare();
    const lost = deferred();
    const { orientation = 'portrait', apps = [] } = options;
    const screen = new SimulatorScreen(ready.helper, ready, 'portrait', lost.resolve);
    ready.helper.onLost(lost.resolve);
    const endWatch = watchHealth(() => whyGone(slot.simctl, ready), lost.resolve, systemClock, this.#healthMs);
    const close = async () => {
      endWatch();
      screen.close();
      await slot.giveBack();
    };
    try {
      await screen.ready();
      for (const { file } of apps) await install(slot.simctl, ready, file, target.tools);
      await checkSimulatorInput(ready.helper, screen, new SimulatorTouchState(ready.helper, ready, () => 'portrait'));
      const { udid, helper, devicectl } = ready;
      const pictureSize = async () => pngSize(await slot.simctl.screenshot(udid));
      const rotation = new Rotation({ udid, helper, devicectl, pictureSize });
      if (orientation !== 'portrait') await rotation.turn(orientation, 'portrait');
      screen.orientation = orientation;
      return new SimulatorDevice({
        udid: ready.udid,
        descriptor: description(ready),
        simctl: slot.simctl,
        helper: ready.helper,
        screen,
        rotation,
        apps: apps.flatMap(({ app }): IosApp[] => (app.platform === 'ios' ? [app] : [])),
        tools: target.tools,
        orientation,
        lost: lost.promise,
        close,
      });
    } catch (error) {
      await close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const slots = [...this.#slots.values()];
    this.#slots.clear();
    await Promise.allSettled(slots.map((slot) => slot.close()));
  }

  #slot({ id, facts, tools }: DeviceTarget): SimulatorSlot {
    const known = this.#slots.get(id);
    if (known) return known;
    const xcrun = requireProgram('xcrun', XCODE_REMEDY, tools, SYSTEM_PROGRAMS);
    const slot = new SimulatorSlot(facts.which ?? '', xcrun, tools, findHelper(tools));
    this.#slots.set(id, slot);
    return slot;
  }
}

async function install(simctl: Simctl, { udid }: ReadySimulator, file: string, tools: ToolEnvironment): Promise<void> {
  await withUnpackedApp(file, tools, (app) => simctl.install(udid, app));
}

async function whyGone(simctl: Simctl, { udid, helper }: ReadySimulator): Promise<string | undefined> {
  await helper.taken();
  const { simulators } = await simctl.list();
  const state = simulators.find((simulator) => simulator.udid === udid)?.state;
  return state === 'Booted' ? undefined : 'The simulator does not run any more.';
}

function description({ model, osVersion = '', width = 0, height = 0, scale = 1 }: Partial<DeviceDescriptor>) {
  return { model: model ?? '', osVersion, width, height, scale, driver: 'ios-simulator' };
}

function deferred(): { readonly promise: Promise<string>; readonly resolve: (reason: string) => void } {
  let resolve: (reason: string) => void = () => undefined;
  const promise = new Promise<string>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
