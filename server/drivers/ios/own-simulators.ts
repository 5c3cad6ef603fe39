import { DeviceFault } from '../../device/fault.ts';
import type { ToolEnvironment } from '../../device/target.ts';
import { type MadeSimulator, MadeSimulators } from './made-simulators.ts';
import type { Simctl } from './simctl.ts';
import type { SimulatorList } from './simulator-list.ts';
import type { Udid } from './udid.ts';

/** Those of snapshots on one host. Each has the gigabytes that its session has written, and its apps. */
const KEPT_MAX = 16;

/** Makes simulators and removes them: none of them stays that no session and no snapshot has, whenever this process ends. */
export class OwnSimulators {
  readonly #simctl: Simctl;
  readonly #made: MadeSimulators;
  readonly #notes = new Map<Udid, MadeSimulator>();
  /** Simulators that are being removed, by programs that end with this process. */
  readonly #going = new Set<Udid>();
  readonly #ending = new AbortController();

  constructor(simctl: Simctl, tools: ToolEnvironment) {
    this.#simctl = simctl;
    this.#made = new MadeSimulators(tools);
  }

  /** Fires when this process is about to end. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  refuseAtEnd(): void {
    if (this.#ending.signal.aborted) throw new DeviceFault('unavailable', 'The host is ending.');
  }

  /** From now on, what is removed goes even if this process ends first. */
  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.all([...this.#going].map((udid) => this.#simctl.removePastEnd(udid)));
  }

  /** Removes the simulators that processes left behind when they were killed, and those of snapshots that were deleted. */
  async sweep({ simulators }: SimulatorList): Promise<void> {
    for (const udid of await this.#made.leftBehind(simulators)) await this.remove(udid);
  }

  /**
   * Notes one for the snapshot of a file, before it is made. Rejects with a `failed` fault where the host keeps enough of them.
   * @param file absolute path
   */
  async placeFor(file: string): Promise<MadeSimulator> {
    await this.sweep(await this.#simctl.list());
    const { simulators } = await this.#simctl.list();
    // With nothing in between that lets another one in.
    if (this.#made.keptCount(simulators) >= KEPT_MAX) {
      throw new DeviceFault(
        'failed',
        `The host keeps ${KEPT_MAX} simulators for snapshots, and no more. Delete a snapshot of a simulator first.`,
      );
    }
    return this.#made.note(file);
  }

  /** Tells where the file of a snapshot is now, whose simulator this is. */
  isIn(file: string, kept: Udid): void {
    this.#made.isIn(file, kept);
  }

  /** Makes a simulator that the next start removes, whenever this process ends. */
  async make(create: (name: string) => Promise<Udid>, note = this.#made.note()): Promise<Udid> {
    const udid = await create(note.name).catch((error: unknown) => {
      // Where it was not refused, it may still come into being.
      if (error instanceof DeviceFault && error.kind === 'failed') note.forget();
      else note.abandon();
      throw error;
    });
    this.#notes.set(udid, note);
    try {
      note.made(udid);
    } catch (error) {
      await this.remove(udid);
      throw error;
    }
    return udid;
  }

  async remove(udid: Udid): Promise<void> {
    if (this.#ending.signal.aborted) return this.#simctl.removePastEnd(udid);
    this.#going.add(udid);
    try {
      await this.#simctl.shutDown(udid);
      await this.#simctl.delete(udid);
      this.#notes.get(udid)?.forget();
    } catch {
      // The next sweep tries again, in this process or in another one.
      this.#abandon(udid);
    } finally {
      this.#notes.delete(udid);
      this.#going.delete(udid);
    }
  }

  #abandon(udid: Udid): void {
    try {
      this.#notes.get(udid)?.abandon();
    } catch {
      // What cannot be written stays as it is noted: the next start removes it.
    }
  }
}
