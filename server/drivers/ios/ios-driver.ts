import type { InstallableApp, IosApp } from '../../device/app-package.ts';
import type { Device, DeviceDescriptor, DeviceOptions, FoundDevice, SnapshotSource } from '../../device/driver.ts';
import { DeviceFault } from '../../device/fault.ts';
import type { DeviceQuery, DeviceTarget, ToolEnvironment } from '../../device/target.ts';
import { systemClock } from '../../flow/clock.ts';
import type { DeviceDriver } from '../device-driver.ts';
import { watchHealth } from '../health.ts';
import { damaged } from '../kept-file.ts';
import { pngSize } from '../png-size.ts';
import { requireProgram } from '../process/find-program.ts';
import { findHelper } from './find-helper.ts';
import { checkSimulatorInput } from './input-check.ts';
import { type KeptSimulator, readSimulator } from './kept-simulator.ts';
import { Rotation } from './rotation.ts';
import { Simctl } from './simctl.ts';
import { SimulatorDevice } from './simulator-device.ts';
import { SimulatorKeeping } from './simulator-keeping.ts';
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

  async open(target: DeviceTarget, options: DeviceOptions, signal?: AbortSignal): Promise<Device> {
    // The simulator of a service that is gone is deleted by the next one.
    if (options.goesOn) throw new DeviceFault('missing', 'The simulator of the session is not there any more.');
    const slot = this.#slot(target);
    const { snapshot, apps = [] } = options;
    const kept = snapshot && (await readSimulator(snapshot));
    const ready = kept ? await prepareKept(slot, kept, snapshot, signal) : await slot.prepare();
    const orientation = kept ? 'portrait' : (options.orientation ?? 'portrait');
    const lost = deferred();
    const screen = new SimulatorScreen(ready.helper, ready, 'portrait', lost.resolve);
    ready.helper.onLost(lost.resolve);
    const { own, startHelper } = slot;
    const keeping = new SimulatorKeeping({ ready, simctl: slot.simctl, own, startHelper, screen, lose: lost.resolve });
    const endWatch = watchHealth(() => whyGone(slot.simctl, ready), lost.resolve, systemClock, this.#healthMs);
    const close = async () => {
      endWatch();
      screen.close();
      await keeping.close();
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
        simctl: slot.simctl.behind(keeping.running),
        keeping,
        helper: ready.helper,
        screen,
        rotation,
        apps: broughtApps(kept?.apps ?? [], apps),
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

/** A copy of a snapshot's simulator, booted. */
async function prepareKept(
  slot: SimulatorSlot,
  kept: KeptSimulator,
  { name, file }: SnapshotSource,
  signal: AbortSignal | undefined,
): Promise<ReadySimulator> {
  slot.own.isIn(file, kept.udid);
  try {
    return await slot.prepareCopy(kept, signal);
  } catch (error) {
    if (!(error instanceof DeviceFault) || error.kind !== 'missing') throw error;
    throw damaged(name, 'its simulator is not there any more');
  }
}

/** Those of the snapshot, and on top of them those that the session brings. */
function broughtApps(kept: readonly IosApp[], installed: readonly InstallableApp[]): IosApp[] {
  const brought = installed.flatMap(({ app }) => (app.platform === 'ios' ? [app] : []));
  const isNew = ({ identifier }: IosApp) => kept.every((app) => app.identifier !== identifier);
  const inPlace = kept.map((app) => brought.find(({ identifier }) => identifier === app.identifier) ?? app);
  return [...inPlace, ...brought.filter(isNew)];
}

/** A program that was ended on purpose while it was asked tells nothing of the simulator. */
async function whyGone(simctl: Simctl, { udid, helper }: ReadySimulator): Promise<string | undefined> {
  const asked = helper.current;
  if (!asked) return undefined;
  try {
    await asked.taken();
    const { simulators } = await simctl.list();
    const state = simulators.find((simulator) => simulator.udid === udid)?.state;
    return state === 'Booted' || helper.current !== asked ? undefined : 'The simulator does not run any more.';
  } catch (error) {
    if (helper.current !== asked) return undefined;
    throw error;
  }
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
