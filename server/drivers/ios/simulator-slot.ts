import { DeviceFault } from '../../device/fault.ts';
import type { ToolEnvironment } from '../../device/target.ts';
import { pngSize } from '../png-size.ts';
import { Devicectl } from './devicectl.ts';
import type { StartHelper } from './find-helper.ts';
import { LastingHelper } from './lasting-helper.ts';
import { OwnSimulators } from './own-simulators.ts';
import { Simctl } from './simctl.ts';
import { newestRuntime, type Simulator, type SimulatorList } from './simulator-list.ts';
import { isUdid, type Udid } from './udid.ts';

/** A simulator that is ready for a session. */
export interface ReadySimulator {
  readonly udid: Udid;
  readonly helper: LastingHelper;
  readonly devicectl: Devicectl | undefined;
  readonly model: string;
  readonly osVersion: string;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/** A simulator that was made and does not run yet. */
type NewSimulator = Pick<ReadySimulator, 'udid' | 'model' | 'osVersion'>;

interface Making {
  readonly ready: Promise<ReadySimulator>;
  /** Ends it early. */
  readonly abort: AbortController;
}

/**
 * The place of one simulator. Every session gets a new one: made for its device type, or a copy of the operator's own,
 * which is never touched. So nothing that a session leaves behind is there for the next. The next one is booted as soon as
 * the one before is given back.
 */
export class SimulatorSlot {
  readonly simctl: Simctl;
  readonly own: OwnSimulators;
  readonly startHelper: StartHelper;
  readonly #which: string;
  readonly #xcrun: string;
  readonly #tools: ToolEnvironment;
  #making: Making | undefined;

  /** @param which a UDID, or the name or identifier of a device type */
  constructor(which: string, xcrun: string, tools: ToolEnvironment, startHelper: StartHelper) {
    this.#which = which;
    this.#xcrun = xcrun;
    this.#tools = tools;
    this.startHelper = startHelper;
    this.simctl = new Simctl(xcrun, tools);
    this.own = new OwnSimulators(this.simctl, tools);
  }

  /** A booted simulator that no session had. Rejects with a `DeviceFault`; the next call tries anew. */
  async prepare(): Promise<ReadySimulator> {
    this.own.refuseAtEnd();
    this.#making ??= this.#begin((list) => this.#create(list));
    const making = this.#making;
    try {
      const ready = await making.ready;
      await ready.helper.taken();
      const { simulators } = await this.simctl.list();
      if (simulators.find(({ udid }) => udid === ready.udid)?.state === 'Booted') return ready;
      throw new DeviceFault('unavailable', 'The simulator does not run any more.');
    } catch (error) {
      if (this.#making === making) this.#making = undefined;
      await this.#retire(making);
      throw error;
    }
  }

  /**
   * A booted copy of a simulator that is off, in the place of the one that was booted before. Rejects with a `DeviceFault`: a `missing` one
   * where there is no such simulator.
   */
  async prepareCopy(
    { udid, model }: Pick<NewSimulator, 'udid' | 'model'>,
    signal?: AbortSignal,
  ): Promise<ReadySimulator> {
    this.own.refuseAtEnd();
    const original = (await this.simctl.list()).simulators.find((simulator) => simulator.udid === udid);
    if (!original) throw new DeviceFault('missing', `This host has no simulator ${udid}.`);
    if (!original.available) {
      throw new DeviceFault('unavailable', "The system of the snapshot's simulator is not installed on this host.");
    }
    const before = this.#making;
    before?.abort.abort();
    const making = this.#begin(async () => {
      // Two that run at the same time would need twice the memory.
      const gone = this.#retire(before).catch(() => undefined);
      const [copy] = await Promise.all([this.#copy(original), gone]);
      return { ...copy, model };
    });
    this.#making = making;
    const onAbort = () => making.abort.abort();
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    try {
      return await making.ready;
    } catch (error) {
      await this.#retire(before);
      if (!this.own.ending.aborted) await this.giveBack();
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** The simulator is not to be used again; settles when it is gone. The next one is begun. */
  async giveBack(): Promise<void> {
    const retired = this.#retire(this.#making);
    this.#making = this.#begin((list) => this.#create(list), retired);
    await retired;
  }

  /** The simulator goes, even if this process ends first. */
  async close(): Promise<void> {
    const gone = this.own.end();
    this.#making?.abort.abort();
    await Promise.all([this.#retire(this.#making), gone]);
  }

  async #retire(making: Making | undefined): Promise<void> {
    const ready = await making?.ready.catch(() => undefined);
    if (!ready) return;
    const closed = ready.helper.close();
    // There is no time to do one after the other.
    if (!this.own.ending.aborted) await closed;
    await this.own.remove(ready.udid);
    await closed;
  }

  /** @param after what has to be over first */
  #begin(create: (list: SimulatorList) => Promise<NewSimulator>, after?: Promise<void>): Making {
    const abort = new AbortController();
    const make = async () => {
      await after;
      return this.#make(create, abort.signal);
    };
    const ready = make();
    // The next call that opens or checks the simulator reports a failure.
    ready.catch(() => undefined);
    return { ready, abort };
  }

  async #make(create: (list: SimulatorList) => Promise<NewSimulator>, signal: AbortSignal): Promise<ReadySimulator> {
    const { simctl, own } = this;
    const refuseWhenOver = () => {
      own.refuseAtEnd();
      if (signal.aborted) throw new DeviceFault('aborted', 'The simulator is not needed any more.');
    };
    refuseWhenOver();
    const list = await simctl.list();
    await own.sweep(list);
    refuseWhenOver();
    const { udid, model, osVersion } = await create(list);
    let helper: LastingHelper | undefined;
    try {
      await simctl.boot(udid, signal);
      refuseWhenOver();
      helper = new LastingHelper(await this.startHelper(udid));
      const devicectl = await Devicectl.find(this.#xcrun, this.#tools);
      const size = pngSize(await simctl.screenshot(udid));
      const [width, height] = [Math.min(size.width, size.height), Math.max(size.width, size.height)];
      const display = await devicectl?.display(udid).catch(() => undefined);
      refuseWhenOver();
      const scale = display?.scale ?? usualScale(width, height);
      return { udid, helper, devicectl, model, osVersion, width, height, scale };
    } catch (error) {
      await helper?.close();
      await own.remove(udid);
      throw error;
    }
  }

  async #create(list: SimulatorList): Promise<NewSimulator> {
    if (isUdid(this.#which)) {
      const original = list.simulators.find(({ udid }) => udid === this.#which);
      if (!original?.available) throw new DeviceFault('unavailable', `This host has no simulator ${this.#which}.`);
      const type = list.deviceTypes.find(({ identifier }) => identifier === original.deviceType);
      return { ...(await this.#copy(original)), model: type?.name || original.name };
    }
    const type = list.deviceTypes.find(({ name, identifier }) => name === this.#which || identifier === this.#which);
    const runtime = type && newestRuntime(list, type.identifier);
    if (!type || !runtime) {
      throw new DeviceFault(
        'unavailable',
        `This host has no runtime for a device type ${JSON.stringify(this.#which)}.`,
      );
    }
    const udid = await this.own.make((name) => this.simctl.create(name, type.identifier, runtime.identifier));
    return { udid, model: type.name, osVersion: runtime.version };
  }

  async #copy({ udid, state, osVersion }: Simulator): Promise<Pick<NewSimulator, 'udid' | 'osVersion'>> {
    if (state === 'Shutdown') return { udid: await this.own.make((name) => this.simctl.clone(udid, name)), osVersion };
    throw new DeviceFault('unavailable', `The simulator ${udid} is on, and can be copied only while it is off.`);
  }
}

/** Pixels for one point where the simulator does not say: iPads and small phones have two, the others three. */
function usualScale(width: number, height: number): number {
  return width <= 828 || height / width < 1.6 ? 2 : 3;
}
