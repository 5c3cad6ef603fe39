import { DeviceFault } from '../../device/fault.ts';
import type { ToolEnvironment } from '../../device/target.ts';
import { pngSize } from '../png-size.ts';
import { Devicectl } from './devicectl.ts';
import type { StartHelper } from './find-helper.ts';
import type { SimulatorHelper } from './helper.ts';
import { modifierUsage } from './hid-usage.ts';
import { type MadeSimulator, MadeSimulators } from './made-simulators.ts';
import { Simctl } from './simctl.ts';
import { newestRuntime, type SimulatorList } from './simulator-list.ts';
import { isUdid, type Udid } from './udid.ts';

/** A simulator that is ready for a session. */
export interface ReadySimulator {
  readonly udid: Udid;
  readonly helper: SimulatorHelper;
  readonly devicectl: Devicectl | undefined;
  readonly model: string;
  readonly osVersion: string;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/**
 * The place of one simulator. Every session gets a new one: made for its device type, or a copy of the operator's own,
 * which is never touched. So nothing that a session leaves behind is there for the next. The next one is booted as soon as
 * the one before is given back.
 */
export class SimulatorSlot {
  readonly simctl: Simctl;
  readonly #which: string;
  readonly #xcrun: string;
  readonly #tools: ToolEnvironment;
  readonly #startHelper: StartHelper;
  #ready: Promise<ReadySimulator> | undefined;
  readonly #ending = new AbortController();
  /** Simulators that are being removed, by programs that end with this process. */
  readonly #going = new Set<Udid>();
  readonly #made: MadeSimulators;
  /** Notes of simulators that this slot has made. */
  readonly #notes = new Map<Udid, MadeSimulator>();

  /** @param which a UDID, or the name or identifier of a device type */
  constructor(which: string, xcrun: string, tools: ToolEnvironment, startHelper: StartHelper) {
    this.#which = which;
    this.#xcrun = xcrun;
    this.#tools = tools;
    this.#startHelper = startHelper;
    this.simctl = new Simctl(xcrun, tools);
    this.#made = new MadeSimulators(tools);
  }

  /** A booted simulator that no session had. Rejects with a `DeviceFault`; the next call tries anew. */
  async prepare(): Promise<ReadySimulator> {
    this.#refuseAtEnd();
    this.#ready ??= this.#make();
    const making = this.#ready;
    try {
      const ready = await making;
      await ready.helper.taken();
      const { simulators } = await this.simctl.list();
      if (simulators.find(({ udid }) => udid === ready.udid)?.state === 'Booted') return ready;
      throw new DeviceFault('unavailable', 'The simulator does not run any more.');
    } catch (error) {
      if (this.#ready === making) this.#ready = undefined;
      await this.#retire(making);
      throw error;
    }
  }

  /** The simulator is not to be used again; settles when it is gone. The next one is begun. */
  async giveBack(): Promise<void> {
    const retired = this.#retire(this.#ready);
    const next = retired.then(() => this.#make());
    this.#ready = next;
    // The next call that opens or checks the simulator reports a failure.
    next.catch(() => undefined);
    await retired;
  }

  /** The simulator goes, even if this process ends first. */
  async close(): Promise<void> {
    this.#ending.abort();
    const going = [...this.#going].map((udid) => this.simctl.removePastEnd(udid));
    await Promise.all([this.#retire(this.#ready), ...going]);
  }

  #refuseAtEnd(): void {
    if (this.#ending.signal.aborted) throw new DeviceFault('unavailable', 'The host is ending.');
  }

  async #retire(making: Promise<ReadySimulator> | undefined): Promise<void> {
    const ready = await making?.catch(() => undefined);
    if (!ready) return;
    const closed = ready.helper.close();
    // There is no time to do one after the other.
    if (!this.#ending.signal.aborted) await closed;
    await this.#remove(ready.udid);
    await closed;
  }

  async #make(): Promise<ReadySimulator> {
    const { simctl } = this;
    this.#refuseAtEnd();
    const list = await simctl.list();
    await this.#sweep(list);
    this.#refuseAtEnd();
    const { udid, model, osVersion } = await this.#create(list);
    let helper: SimulatorHelper | undefined;
    try {
      await simctl.boot(udid, this.#ending.signal);
      this.#refuseAtEnd();
      helper = await this.#startHelper(udid);
      await announceInput(helper);
      const devicectl = await Devicectl.find(this.#xcrun, this.#tools);
      const size = pngSize(await simctl.screenshot(udid));
      const [width, height] = [Math.min(size.width, size.height), Math.max(size.width, size.height)];
      const display = await devicectl?.display(udid).catch(() => undefined);
      this.#refuseAtEnd();
      return {
        udid,
        helper,
        devicectl,
        model,
        osVersion,
        width,
        height,
        scale: display?.scale ?? usualScale(width, height),
      };
    } catch (error) {
      await helper?.close();
      await this.#remove(udid);
      throw error;
    }
  }

  async #create(list: SimulatorList): Promise<{ udid: Udid; model: string; osVersion: string }> {
    if (isUdid(this.#which)) {
      const original = list.simulators.find(({ udid }) => udid === this.#which);
      if (!original?.available) throw new DeviceFault('unavailable', `This host has no simulator ${this.#which}.`);
      if (original.state !== 'Shutdown') {
        throw new DeviceFault(
          'unavailable',
          `The simulator ${this.#which} is on, and can be copied only while it is off.`,
        );
      }
      const type = list.deviceTypes.find(({ identifier }) => identifier === original.deviceType);
      const udid = await this.#noted((name) => this.simctl.clone(original.udid, name));
      return { udid, model: type?.name || original.name, osVersion: original.osVersion };
    }
    const type = list.deviceTypes.find(({ name, identifier }) => name === this.#which || identifier === this.#which);
    const runtime = type && newestRuntime(list, type.identifier);
    if (!type || !runtime) {
      throw new DeviceFault(
        'unavailable',
        `This host has no runtime for a device type ${JSON.stringify(this.#which)}.`,
      );
    }
    const udid = await this.#noted((name) => this.simctl.create(name, type.identifier, runtime.identifier));
    return { udid, model: type.name, osVersion: runtime.version };
  }

  /** Removes the simulators that processes left behind when they were killed. */
  async #sweep({ simulators }: SimulatorList): Promise<void> {
    for (const udid of await this.#made.leftBehind(simulators)) await this.#remove(udid);
  }

  /** Makes a simulator that the next start removes, whenever this process ends. */
  async #noted(make: (name: string) => Promise<Udid>): Promise<Udid> {
    const note = this.#made.note();
    const udid = await make(note.name).catch((error: unknown) => {
      // Where it was not refused, it may still come into being.
      if (error instanceof DeviceFault && error.kind === 'failed') note.forget();
      else note.abandon();
      throw error;
    });
    this.#notes.set(udid, note);
    try {
      note.made(udid);
    } catch (error) {
      await this.#remove(udid);
      throw error;
    }
    return udid;
  }

  async #remove(udid: Udid): Promise<void> {
    if (this.#ending.signal.aborted) return this.simctl.removePastEnd(udid);
    this.#going.add(udid);
    try {
      await this.simctl.shutDown(udid);
      await this.simctl.delete(udid);
      this.#notes.get(udid)?.forget();
      this.#notes.delete(udid);
    } catch {
      // The next start removes it.
    } finally {
      this.#going.delete(udid);
    }
  }
}

/**
 * Sends a press of a shift key, which does nothing: Xcode 27's Device Hub disconnects older input services when it attaches to
 * a simulator, but not one that has sent something before. Whether inputs arrive is proved when a session begins.
 */
async function announceInput(helper: SimulatorHelper): Promise<void> {
  helper.key('down', modifierUsage('shift'));
  helper.key('up', modifierUsage('shift'));
  await helper.taken();
}

/** Pixels for one point where the simulator does not say: iPads and small phones have two, the others three. */
function usualScale(width: number, height: number): number {
  return width <= 828 || height / width < 1.6 ? 2 : 3;
}
