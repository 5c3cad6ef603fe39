import { rm } from 'node:fs/promises';
import type { IosApp } from '../../device/app-package.ts';
import type { KeptFile } from '../../device/driver.ts';
import { DeviceFault } from '../../device/fault.ts';
import type { ChangingScreen } from '../input-effect.ts';
import type { StartHelper } from './find-helper.ts';
import { checkSimulatorInput } from './input-check.ts';
import { writeSimulator } from './kept-simulator.ts';
import type { MadeSimulator } from './made-simulators.ts';
import type { OwnSimulators } from './own-simulators.ts';
import type { Simctl } from './simctl.ts';
import type { ReadySimulator } from './simulator-slot.ts';
import { SimulatorTouchState } from './simulator-touch-state.ts';
import type { Udid } from './udid.ts';

/** The encoder may have to wait for the first picture itself. */
const FIRST_PICTURE_MS = 15_000;

export interface KeepingParts {
  readonly ready: ReadySimulator;
  readonly simctl: Simctl;
  readonly own: OwnSimulators;
  readonly startHelper: StartHelper;
  readonly screen: ChangingScreen;
  /** Called when the simulator does not come up again. */
  readonly lose: (reason: string) => void;
}

/** What is to be kept, and what the device has to do meanwhile. */
export interface Keeping {
  /** Absolute path of a file that is not there. */
  readonly file: string;
  readonly apps: readonly IosApp[];
  /** Lifts fingers, keys and buttons. */
  readonly lift: () => Promise<void>;
  /** Called when the simulator runs again, upright, before its first picture is told. */
  readonly back: () => void;
}

/**
 * Keeps the state of one simulator: its disk. `simctl` copies only a simulator that is off, so the session's own is turned off, copied,
 * and turned on again with another program of its helper's; its apps are ended.
 */
export class SimulatorKeeping {
  readonly #parts: KeepingParts;
  readonly #ending = new AbortController();
  readonly #ended: AbortSignal;
  /** While the simulator is off or not ready; never rejects. */
  #away: Promise<unknown> | undefined;
  /** What was begun last, to its end; never rejects. */
  #work: Promise<unknown> = Promise.resolve();
  #lost: string | undefined;

  constructor(parts: KeepingParts) {
    this.#parts = parts;
    this.#ended = AbortSignal.any([this.#ending.signal, parts.own.ending]);
  }

  get isAway(): boolean {
    return this.#away !== undefined;
  }

  /** Settles when the simulator runs. Rejects with an `aborted` fault when the signal fires, and when it will not run any more. */
  readonly running = async (signal?: AbortSignal): Promise<void> => {
    while (this.#away !== undefined) await unlessAborted(this.#away, signal);
    if (this.#lost !== undefined) throw new DeviceFault('unreachable', this.#lost);
  };

  /**
   * Rejects with a `DeviceFault`; then nothing is kept. After an `aborted` one the simulator may still be on its way back, which `running`
   * waits for.
   */
  async keep(keeping: Keeping, signal: AbortSignal): Promise<KeptFile> {
    await this.running(signal);
    const note = await this.#parts.own.placeFor(keeping.file);
    if (this.#away || signal.aborted || this.#ended.aborted) {
      note.forget();
      throw aborted();
    }
    // While the file is written, whoever waits learns whether it is there.
    const writing = new AbortController();
    const kept = this.#keep(keeping, note, signal, () => writing.abort());
    this.#work = kept.catch(() => undefined);
    return unlessAborted(kept, signal, writing.signal);
  }

  /** Settles when nothing goes on any more, and nothing is left of what was not finished. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#work;
  }

  async #keep(
    { file, apps, lift, back }: Keeping,
    note: MadeSimulator,
    signal: AbortSignal,
    writes: () => void,
  ): Promise<KeptFile> {
    const { own, simctl, ready } = this.#parts;
    const { udid, model, osVersion } = ready;
    const goOn = () => {
      if (signal.aborted || this.#ended.aborted) throw aborted();
    };
    let isNoted = false;
    const copies: Udid[] = [];
    try {
      const copied = await this.#whileOff(lift, back, async () => {
        goOn();
        isNoted = true;
        const copy = await own.make((name) => simctl.clone(udid, name), note);
        copies.push(copy);
        return copy;
      });
      goOn();
      writes();
      const kept = await writeSimulator(file, { udid: copied, model, osVersion, apps }, signal);
      try {
        note.written();
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      }
      return kept;
    } catch (error) {
      for (const copy of copies) await own.remove(copy);
      if (!isNoted) note.forget();
      throw error;
    }
  }

  /** Turns the simulator off, does something, and turns it on again whatever came of that. */
  async #whileOff<T>(lift: () => Promise<void>, back: () => void, act: () => Promise<T>): Promise<T> {
    const { helper, udid } = this.#parts.ready;
    const off = async () => {
      await helper.leave();
      await this.#parts.simctl.shutDown(udid);
      return act();
    };
    const offAndOn = async () => {
      await lift();
      const [outcome] = await Promise.allSettled([off()]);
      await this.#comeBack(back);
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    };
    const work = offAndOn().catch((error: unknown) => {
      // An `unavailable` one would be taken for the disk of the snapshots.
      if (error instanceof DeviceFault && error.kind === 'unavailable') throw new DeviceFault('failed', error.message);
      throw error;
    });
    this.#away = work.catch(() => undefined);
    try {
      return await work;
    } finally {
      this.#away = undefined;
    }
  }

  async #comeBack(back: () => void): Promise<void> {
    const { ready, simctl, startHelper, screen, lose } = this.#parts;
    const { helper, udid } = ready;
    try {
      await simctl.boot(udid, this.#ended);
      const { version } = screen;
      await helper.follow(await startHelper(udid), back);
      if (!(await screen.newerThan(version, FIRST_PICTURE_MS))) {
        throw new DeviceFault('unavailable', 'It gives no picture of its screen.');
      }
      await checkSimulatorInput(helper, screen, new SimulatorTouchState(helper, ready, () => 'portrait'));
    } catch (error) {
      if (this.#ended.aborted) throw aborted();
      const why = error instanceof Error ? error.message : String(error);
      this.#lost = `The simulator did not come up again after it was turned off to be kept: ${why}`;
      lose(this.#lost);
      throw new DeviceFault('unreachable', this.#lost);
    }
  }
}

const aborted = (): DeviceFault => new DeviceFault('aborted', 'Keeping the state was ended.');

/**
 * Settles like the work, or rejects with an `aborted` fault when the signal fires. The work goes on.
 * @param unheard once it has fired, the signal does not count any more
 */
function unlessAborted<T>(work: Promise<T>, signal?: AbortSignal, unheard?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      if (!unheard?.aborted) reject(aborted());
    };
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', onAbort));
  });
}
