import type { Button, Orientation, RenderOption } from '@runcloud/protocol';
import type { Point } from '../../device/driver.ts';
import { DeviceFault } from '../../device/fault.ts';
import type { VideoListener } from '../video/video-source.ts';
import type { Direction, HelperAbilities, ReadUi, SimulatorHelper, TouchPhase } from './helper.ts';

interface Video {
  readonly listener: VideoListener;
  /** The helper that it comes from. */
  from: SimulatorHelper | undefined;
  stop: () => void;
}

/**
 * The helper of a simulator for as long as a session has it: a simulator that starts anew ends its helper's program, and another one takes
 * its place here. Whoever listens to the video sees no end of it, only no pictures in between. Without a program, every call rejects
 * or throws an `unavailable` fault.
 */
export class LastingHelper implements SimulatorHelper {
  readonly name: string;
  readonly can: HelperAbilities;
  readonly readUi?: (signal: AbortSignal) => Promise<ReadUi>;
  readonly #videos = new Set<Video>();
  #current: SimulatorHelper | undefined;
  #beforePicture: (() => void) | undefined;
  #lost: string | undefined;
  #listener: (reason: string) => void = () => undefined;
  #closed = false;

  constructor(helper: SimulatorHelper) {
    this.name = helper.name;
    this.can = helper.can;
    if (helper.readUi) this.readUi = async (signal) => (this.#running.readUi as NonNullable<ReadUiOf>)(signal);
    this.#begin(helper);
  }

  /** The one that runs; `undefined` where there is none at the moment. */
  get current(): SimulatorHelper | undefined {
    return this.#current;
  }

  /** Ends the program, which nobody is told of. */
  async leave(): Promise<void> {
    const helper = this.#current;
    this.#current = undefined;
    for (const video of this.#videos) stop(video);
    await helper?.close();
  }

  /**
   * Another program of the same kind takes over. Rejects with an `unreachable` fault where this one is closed.
   * @param beforePicture called once, before anybody is given its first picture
   */
  async follow(helper: SimulatorHelper, beforePicture: () => void): Promise<void> {
    if (this.#closed) {
      await helper.close();
      throw new DeviceFault('unreachable', 'The helper is not needed any more.');
    }
    this.#beforePicture = beforePicture;
    this.#begin(helper);
  }

  touch(phase: TouchPhase, points: readonly Point[]): void {
    this.#running.touch(phase, points);
  }

  key(direction: Direction, usage: number): void {
    this.#running.key(direction, usage);
  }

  button(direction: Direction, button: Button): void {
    this.#running.button(direction, button);
  }

  home(): void {
    this.#running.home();
  }

  appSwitcher(): void {
    this.#running.appSwitcher();
  }

  async toggleSoftwareKeyboard(): Promise<void> {
    await this.#running.toggleSoftwareKeyboard();
  }

  async simulateMemoryWarning(): Promise<void> {
    await this.#running.simulateMemoryWarning();
  }

  async setRenderOption(option: RenderOption, enabled: boolean): Promise<void> {
    await this.#running.setRenderOption(option, enabled);
  }

  async rotate(orientation: Orientation): Promise<void> {
    await this.#running.rotate(orientation);
  }

  async taken(signal?: AbortSignal): Promise<void> {
    await this.#running.taken(signal);
  }

  video(listener: VideoListener): () => void {
    const video: Video = { listener, from: undefined, stop: () => undefined };
    this.#videos.add(video);
    if (this.#current) this.#show(video, this.#current);
    return () => {
      this.#videos.delete(video);
      stop(video);
    };
  }

  onLost(listener: (reason: string) => void): void {
    this.#listener = listener;
    if (this.#lost !== undefined) listener(this.#lost);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listener = () => undefined;
    await this.leave();
  }

  get #running(): SimulatorHelper {
    if (this.#current) return this.#current;
    throw new DeviceFault('unavailable', 'The simulator is off for a moment, so that its state can be kept.');
  }

  #begin(helper: SimulatorHelper): void {
    this.#current = helper;
    helper.onLost((reason) => {
      if (this.#current !== helper) return;
      this.#lost ??= reason;
      this.#listener(reason);
    });
    for (const video of this.#videos) this.#show(video, helper);
  }

  #show(video: Video, helper: SimulatorHelper): void {
    const { listener } = video;
    const isOn = () => video.from === helper;
    video.from = helper;
    video.stop = helper.video({
      head: (head) => {
        if (isOn()) listener.head(head);
      },
      picture: (unit) => {
        if (!isOn()) return;
        this.#beforePicture?.();
        this.#beforePicture = undefined;
        listener.picture(unit);
      },
      ended: (reason) => {
        if (!isOn()) return;
        this.#videos.delete(video);
        listener.ended(reason);
      },
    });
  }
}

type ReadUiOf = SimulatorHelper['readUi'];

function stop(video: Video): void {
  video.from = undefined;
  video.stop();
}
