import type { ActionFields, Observed } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import { difference } from '../../../protocol/outline-difference.ts';
import type { Device, InputContext, InputResult, Picture } from '../../device/driver.ts';
import { DeviceFault } from '../../device/fault.ts';
import type { Clock } from '../../flow/clock.ts';
import { withTimeout } from '../../flow/timeout.ts';
import type { CaptureGate } from '../capture-gate.ts';
import { cleanName } from '../ui/bounded.ts';
import { outline } from '../ui/outline.ts';
import { hasTarget, Targets } from '../ui/targets.ts';
import type { UiFrames, UiLook } from '../ui/ui-frames.ts';
import { type Before, type Eyes, lookBefore } from './before.ts';
import { CoarseCopy } from './coarse-copy.ts';
import { PictureCopy } from './picture-copy.ts';
import type { Sight } from './sight.ts';
import { Watch } from './watch.ts';

/** A device whose screen does not come keeps an input up for so long. */
const BEFORE_MS_MAX = 2_000;
/** What was seen before an input is looked at again if finding its element took longer. */
const FRESH_MS = 50;
/** Room for the line that tells of what was left out. */
const LAST_LINE_BYTES = 40;

export interface ObserverOptions {
  readonly device: Pick<Device, 'perform' | 'refresh'>;
  readonly gate: CaptureGate;
  readonly clock: Clock;
  /** Absent for a device that does not tell what is on its screen. */
  readonly frames: UiFrames | undefined;
  /** A read of the elements takes long. */
  readonly isSlow: boolean;
  /** Its pictures come as video: equal screens do not look the same to the pixel. */
  readonly isLossy: boolean;
}

interface Observation {
  readonly inputSeq: number;
  readonly ended: Promise<Observed>;
  readonly controller: AbortController;
}

/** Performs inputs of one device and observes what they change on its screen, the newest one at a time. */
export class Observer {
  readonly #options: ObserverOptions;
  readonly #eyes: Eyes;
  #newest: Observation | undefined;

  constructor(options: ObserverOptions) {
    this.#options = options;
    const { device, gate, clock, frames, isSlow, isLossy } = options;
    this.#eyes = {
      clock,
      refresh: async (signal) => {
        if (device.refresh) await abortable(signal, device.refresh());
      },
      picture: (signal, last, spare) =>
        abortable(
          signal,
          gate.capture((picture) => sightOf(picture, isLossy, last, spare)),
        ),
      look: async (signal) => (isSlow ? undefined : frames?.look(signal)),
    };
  }

  /** Performs an input whose effect is then asked for with `observed`. Rejects with a `DeviceFault`, as without an observation. */
  async perform(request: ActionFields, context: InputContext): Promise<InputResult> {
    const { device, frames, clock } = this.#options;
    const { inputSeq, signal } = context;
    // An element that comes by itself is no effect of the input that waits for it.
    if (hasTarget(request) && frames) await new Targets(device, frames, clock).found(request, signal);
    let before = await this.#before(signal);
    let watch: Watch | undefined;
    const controller = new AbortController();
    const act = async (fields: ActionFields, within: InputContext): Promise<InputResult> => {
      if (!watch && before) {
        if (clock.monotonicMs() - before.atMs > FRESH_MS) before = await this.#again(before, signal);
        watch = before && new Watch(this.#eyes, before, () => frames?.inputs ?? 0, inputSeq);
        this.#begin(inputSeq, controller, before, watch);
      }
      return device.perform(fields, within);
    };
    if (!before) this.#begin(inputSeq, controller);
    try {
      if (hasTarget(request) && frames) {
        const result = await new Targets({ perform: act }, frames, clock).perform(request, context);
        // An element that was in sight already: nothing had to be sent.
        if (before && !watch) this.#newest = { inputSeq, ended: Promise.resolve({ changed: false }), controller };
        return result;
      }
      frames?.expire();
      return await act(request, context);
    } catch (error) {
      controller.abort();
      throw error;
    } finally {
      watch?.taken();
    }
  }

  /** Settles with what was seen of this input, which completed. Rejects when aborted. */
  observed(inputSeq: number, signal: AbortSignal): Promise<Observed> {
    const newest = this.#newest;
    if (newest?.inputSeq !== inputSeq) return Promise.resolve({ unknown: 'next_input' });
    signal.addEventListener('abort', () => newest.controller.abort(), { once: true });
    return newest.ended;
  }

  /** The device is closed or lost. */
  close(): void {
    this.#newest?.controller.abort();
  }

  /** Absent if the screen cannot be seen: the input is performed all the same. */
  async #before(signal: AbortSignal): Promise<Before | undefined> {
    return this.#seen(signal, () => withTimeout(BEFORE_MS_MAX, this.#options.clock, lookBefore(this.#eyes, signal)));
  }

  async #again(before: Before, signal: AbortSignal): Promise<Before | undefined> {
    return this.#seen(signal, async () => {
      await this.#eyes.refresh(signal);
      const picture = await this.#eyes.picture(signal);
      const look = await this.#eyes.look(signal);
      return { ...before, picture, look, atMs: this.#options.clock.monotonicMs() };
    });
  }

  async #seen<T>(signal: AbortSignal, see: () => Promise<T>): Promise<T | undefined> {
    try {
      return await see();
    } catch {
      if (signal.aborted) throw new DeviceFault('aborted', 'The input was ended before its turn.');
      return undefined;
    }
  }

  #begin(inputSeq: number, controller: AbortController, before?: Before, watch?: Watch): void {
    const ended = before && watch ? this.#watched(before, watch, controller.signal) : Promise.resolve(NOT_SEEN);
    // Nobody may ask for it.
    ended.catch(() => undefined);
    this.#newest = { inputSeq, ended, controller };
  }

  async #watched(before: Before, watch: Watch, signal: AbortSignal): Promise<Observed> {
    const observed = await watch.run(signal).catch(() => {
      signal.throwIfAborted();
      return NOT_SEEN;
    });
    const { look } = watch;
    const tree = observed.changed && before.look && look ? this.#difference(before.look, look) : undefined;
    return tree === undefined ? observed : { ...observed, tree };
  }

  /** What is otherwise in the outline; its refs are of the frame that it names. */
  #difference(before: UiLook, now: UiLook): string | undefined {
    const { frames } = this.#options;
    if (!frames || before.text === now.text) return undefined;
    const reading = frames.number(now);
    return shortened(difference(outlineOf(before, reading.frame), outlineOf(now, reading.frame)));
  }
}

function sightOf(picture: Picture, isLossy: boolean, last: Sight | undefined, spare: Sight | undefined): Sight {
  if (last?.version === picture.version) {
    last.seenAgain(picture.inputSeq);
    return last;
  }
  if (isLossy) return new CoarseCopy(picture);
  return new PictureCopy(picture, spare instanceof PictureCopy ? spare : undefined);
}

const NOT_SEEN: Observed = { unknown: 'not_seen' };

function outlineOf({ nodes, nodeCount, screen }: UiLook, frame: number): string {
  const { app } = screen;
  return outline(nodes, { ...screen, frame, nodeCount, app: app === undefined ? undefined : cleanName(app) });
}

/** As many whole lines as there is room for. */
function shortened(text: string): string {
  const max = LIMITS.observedTreeBytes;
  if (Buffer.byteLength(text) <= max) return text;
  const lines = text.split('\n');
  let bytes = LAST_LINE_BYTES;
  const kept = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes > max;
  });
  return `${lines.slice(0, kept).join('\n')}\n… ${lines.length - kept} lines left out`;
}

/** Settles as the work does; rejects with the signal's reason if that is aborted first. The work itself goes on. */
function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
