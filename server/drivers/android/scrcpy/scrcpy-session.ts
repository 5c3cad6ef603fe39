import type { DeviceDescriptor } from '../../../device/driver.ts';
import { DeviceFault } from '../../../device/fault.ts';
import { systemClock } from '../../../flow/clock.ts';
import { poll } from '../../../flow/poll.ts';
import { VideoScreen } from '../../video/video-screen.ts';
import type { PictureSize } from '../../video/video-source.ts';
import type { GuestShell } from '../adb/guest-shell.ts';
import { displayShown } from '../guest/displays.ts';
import { type DisplaySize, orientationOf, type QuarterTurns, uprightSize } from '../guest/orientation.ts';
import { displayTurns, turnDisplay } from '../guest/turn-display.ts';
import type { BackendListener } from '../input-backend.ts';
import { answersIn, resetVideoMessage } from './control-messages.ts';
import { ControlSocket } from './control-socket.ts';
import { DEVICE_PATH, ScrcpyServer } from './scrcpy-server.ts';
import { ScrcpyTouchState } from './scrcpy-touch-state.ts';
import { ScrcpyVideo } from './scrcpy-video.ts';
import type { ServerFile } from './server-file.ts';
import { readVideo, VIDEO_EDGE_MAX } from './video-reader.ts';

/** The video follows a display that has turned. */
const FOLLOWS = { everyMs: 20, forMs: 3_000 } as const;

/** The server gives pictures as they are seen, of whatever form a display has that may unfold. */
const AS_SEEN = {
  isOfScreen: ({ width, height }: PictureSize) => Math.max(width, height) <= VIDEO_EDGE_MAX,
  needsTurning: () => false,
  turned: <T>(picture: T) => picture,
};

/** A session of scrcpy's server: the screen, the fingers and the orientation of one device. */
export class ScrcpySession {
  readonly screen: VideoScreen;
  readonly touches: ScrcpyTouchState;
  readonly #server: ScrcpyServer;
  readonly #shell: GuestShell;
  readonly #control: ControlSocket;
  readonly #video: ScrcpyVideo;
  readonly #device: DeviceDescriptor;
  readonly #listener: BackendListener;
  /** Of the video, as touches are told; the first one comes before the first picture. */
  #size: PictureSize;
  #turns: QuarterTurns;
  /** How the device is just being turned by this service. */
  #turning: QuarterTurns | undefined;
  #over = false;
  #tellLost: (reason: string) => void = () => undefined;

  private constructor(
    server: ScrcpyServer,
    form: ServerFile['form'],
    parts: { shell: GuestShell; device: DeviceDescriptor; turns: QuarterTurns; listener: BackendListener },
  ) {
    this.#server = server;
    this.#shell = parts.shell;
    this.#device = parts.device;
    this.#turns = parts.turns;
    this.#size = uprightSize(parts.device, parts.turns);
    this.#listener = parts.listener;
    const lose = (reason: string) => this.#lose(`scrcpy's server on the device is lost: ${reason}.`);
    this.#control = new ControlSocket(server.control, lose);
    server.onLine = (line) => {
      for (const number of answersIn(line)) this.#control.answered(number);
    };
    this.#video = new ScrcpyVideo(form, {
      sized: (size) => this.#resized(size),
      requestKey: () => this.#requestKey(),
      silent: () => void this.#judgeSilence(),
    });
    this.screen = new VideoScreen(this.#video, AS_SEEN, orientationOf(parts.turns), (reason) => this.#lose(reason));
    this.screen.onTurned(() => void this.#follow());
    this.touches = new ScrcpyTouchState(
      (messages) => this.#control.send(messages),
      parts.device,
      () => ({ size: this.#size, turns: this.#turns }),
    );
    void server.ended.then((reason) => this.#lose(`${reason}.`));
    void this.#pump(form);
  }

  /** Starts the server on the device; resolves when there is a picture. Rejects with a `DeviceFault`. */
  static async open(
    file: ServerFile,
    shell: GuestShell,
    device: DeviceDescriptor,
    listener: BackendListener,
  ): Promise<ScrcpySession> {
    const turns = (await displayTurns(shell)) ?? 0;
    let server: ScrcpyServer;
    try {
      server = await ScrcpyServer.start(await shell.connection(), file);
    } catch (error) {
      // A server that runs has removed its file itself.
      await shell.run(['rm', '-f', DEVICE_PATH]).catch(() => undefined);
      throw error;
    }
    const session = new ScrcpySession(server, file.form, { shell, device, turns, listener });
    const lost = new Promise<never>((_, reject) => {
      session.#tellLost = (reason) => reject(new DeviceFault('unavailable', reason));
    });
    try {
      await Promise.race([session.screen.ready(), lost]);
      session.#tellLost = (reason) => listener.lost(reason);
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /** Of the video. */
  get size(): DisplaySize {
    return this.#size;
  }

  /** Quarter turns counter-clockwise. */
  get turns(): QuarterTurns {
    return this.#turns;
  }

  /** Throws an `unreachable` fault when the connection is closed. */
  send(messages: Uint8Array): void {
    this.#control.send(messages);
  }

  /** Settles once the device has taken everything that was sent. Rejects with a `DeviceFault`. */
  taken(signal?: AbortSignal): Promise<void> {
    return this.#control.taken(signal);
  }

  /** The text in the device's clipboard. Rejects with a `DeviceFault`. */
  clipboard(signal?: AbortSignal): Promise<string> {
    return this.#control.clipboard(signal);
  }

  /** Settles when the device is turned and its video has followed. Rejects with a `DeviceFault`. */
  async rotate(turns: QuarterTurns, signal: AbortSignal): Promise<void> {
    this.touches.lift();
    this.#turning = turns;
    try {
      await turnDisplay(this.#shell, turns, signal);
      const followed = () => this.#lies(turns) || this.#over;
      await poll(systemClock, FOLLOWS, () => followed() || signal.aborted);
      if (followed()) return this.#turned(turns);
      throw signal.aborted
        ? new DeviceFault('aborted', 'The rotation was ended early.')
        : new DeviceFault('failed', 'The video of the screen did not turn.');
    } finally {
      this.#turning = undefined;
    }
  }

  close(): void {
    this.#over = true;
    this.screen.close();
    this.#video.end('it was closed');
    this.#control.close();
    void this.#server.close().catch(() => undefined);
  }

  async #pump(form: ServerFile['form']): Promise<void> {
    try {
      for await (const part of readVideo(this.#server.video, form)) this.#video.take(part);
    } catch (error) {
      const why = error instanceof RangeError ? `its video is garbled: ${error.message}` : 'its video ended';
      this.#lose(`scrcpy's server on the device is lost: ${why}.`);
    }
  }

  #requestKey(): void {
    try {
      this.#control.send(resetVideoMessage());
    } catch {
      // The next call on the connection reports it.
    }
  }

  /** A screen that is off has no pictures. */
  async #judgeSilence(): Promise<void> {
    const power = await this.#shell.run(['dumpsys', 'power']).catch(() => undefined);
    if (power === undefined || /mWakefulness=Awake/.test(power.output)) {
      this.#lose("scrcpy's server on the device is lost: it gives no pictures any more.");
    }
  }

  #resized(size: PictureSize): void {
    const before = this.#size;
    this.#size = size;
    // Before a touch is told in the new size.
    if (isLying(before) !== isLying(size)) this.#turned(this.#likelyTurns());
    // Another display, of a device that folds.
    this.#listener.changed();
    try {
      if (before.width !== size.width || before.height !== size.height) this.touches.resized();
    } catch {
      // The next call on the connection reports it.
    }
  }

  /** Until the device has said which way it was turned. */
  #likelyTurns(): QuarterTurns {
    if (this.#turning !== undefined && this.#lies(this.#turning)) return this.#turning;
    if (this.#lies(this.#turns)) return this.#turns;
    return this.#turns === 0 || this.#turns === 2 ? 1 : 0;
  }

  /** The picture lies otherwise than before: by an app or by a hand, where this service has not done it. */
  async #follow(): Promise<void> {
    this.#turned(this.#likelyTurns());
    if (this.#turning !== undefined) return;
    const turns = await displayTurns(this.#shell).catch(() => undefined);
    if (turns !== undefined && this.#turning === undefined && this.#lies(turns)) this.#turned(turns);
  }

  /** True when the video has the form that it has with the device turned so. */
  #lies(turns: QuarterTurns): boolean {
    return isLying(this.#size) === isLying(uprightSize(displayShown(this.#device, this.#size) ?? this.#device, turns));
  }

  #turned(turns: QuarterTurns): void {
    if (this.#over) return;
    this.screen.orientation = orientationOf(turns);
    if (turns === this.#turns) return;
    this.#turns = turns;
    this.#listener.changed();
  }

  #lose(reason: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#video.end(reason);
    this.#tellLost(reason);
  }
}

const isLying = ({ width, height }: PictureSize): boolean => width > height;
