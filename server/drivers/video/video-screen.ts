import type { Orientation } from '@runcloud/protocol';
import type { EncodedScreen, Picture, ScreenPacket } from '../../device/driver.ts';
import { DeviceFault } from '../../device/fault.ts';
import type { AccessUnit } from '../../h264/access-unit.ts';
import type { StreamHead } from '../../h264/stream-head.ts';
import { PictureDecoder } from './picture-decoder.ts';
import { VideoFeed } from './video-feed.ts';
import type { PictureSize, VideoSource } from './video-source.ts';

/** The encoder may have to wait for the first picture itself. */
const FIRST_PICTURE_MS = 15_000;
/** A picture that comes sooner after an input was taken from the screen before the input had arrived. */
const IN_FLIGHT_MS = 20;
/** By then an input that changes the screen has changed it. */
const EFFECT_MS = 150;
/** Pictures that wait to be decoded, in case pixels are asked for; more are decoded at once. */
const PENDING_MAX = 60;
/** Pictures in a row that cannot be decoded, each from a key picture on, until the video counts as garbage. */
const BAD_PICTURES_MAX = 5;

type PacketListener = Parameters<EncodedScreen['start']>[0];

/** RGBA, row by row. */
export interface RgbaPicture extends PictureSize {
  readonly pixels: Uint8Array;
}

/** The properties of a video's pictures that are known beforehand. */
export interface VideoLayout {
  /** True when a picture of this size can show this screen. */
  isOfScreen(size: PictureSize): boolean;
  /** True when pictures must be turned to be upright in this orientation. */
  needsTurning(size: PictureSize, orientation: Orientation): boolean;
  turned(picture: RgbaPicture, orientation: Orientation): RgbaPicture;
}

/** The screen of a device that encodes it: passes its video on unchanged, and decodes it when pixels are asked for. */
export class VideoScreen implements EncodedScreen {
  readonly #feed: VideoFeed;
  readonly #layout: VideoLayout;
  readonly #lose: (reason: string) => void;
  #orientation: Orientation;
  #head: StreamHead | undefined;
  #pending: AccessUnit[] = [];
  #decoder: PictureDecoder | undefined;
  #badPictures = 0;
  #version = 0;
  #picture: Picture | undefined;
  #sentSeq = 0;
  #sentMs = Number.NEGATIVE_INFINITY;
  #shownSeq = 0;
  #effectTimer: NodeJS.Timeout | undefined;
  #packets: (PacketListener & { waits: boolean }) | undefined;
  #turnedByItself: () => void = () => undefined;
  #told = false;
  #tell: () => void = () => undefined;
  /** Called at the next picture, when an input has no visible effect, and at the end. */
  readonly #waiting = new Set<() => void>();
  #end: string | undefined;

  /** @param lose called once when the screen gives no more pictures */
  constructor(source: VideoSource, layout: VideoLayout, orientation: Orientation, lose: (reason: string) => void) {
    this.#layout = layout;
    this.#orientation = orientation;
    this.#lose = lose;
    this.#feed = new VideoFeed(source, {
      picture: (unit, head) => this.#take(unit, head),
      lost: (reason) => this.#fail(`The screen is lost: ${reason}.`),
    });
  }

  set orientation(orientation: Orientation) {
    if (orientation === this.#orientation) return;
    this.#orientation = orientation;
    this.#changed();
    if (this.#packets) this.#packets.waits = true;
    this.#feed.requestKey();
  }

  /** Settles with the first picture; rejects with an `unavailable` fault when none comes. */
  async ready(): Promise<PictureSize> {
    const giveUpMs = performance.now() + FIRST_PICTURE_MS;
    while (!this.#head && this.#end === undefined && performance.now() < giveUpMs) {
      await this.#wait(giveUpMs - performance.now());
    }
    if (this.#head) return this.#head;
    throw new DeviceFault('unavailable', this.#end ?? 'The device gives no picture of its screen.');
  }

  /** Pictures told so far. */
  get version(): number {
    return this.#version;
  }

  /** Settles with whether a picture came that is newer than `version`. */
  async newerThan(version: number, withinMs: number): Promise<boolean> {
    const giveUpMs = performance.now() + withinMs;
    while (this.#version <= version && this.#end === undefined && performance.now() < giveUpMs) {
      await this.#wait(giveUpMs - performance.now());
    }
    return this.#version > version;
  }

  /** An input is being sent to the device. */
  sent(inputSeq: number): void {
    if (inputSeq < this.#sentSeq) return;
    this.#sentSeq = inputSeq;
    this.#sentMs = performance.now();
    clearTimeout(this.#effectTimer);
    this.#effectTimer = setTimeout(() => this.#noEffect(), EFFECT_MS);
    this.#effectTimer.unref();
  }

  /** Settles when the effect of what was sent is to be seen, or is not to be expected any more, with the newest input shown. */
  async settled(): Promise<number> {
    // The timer that ends the waiting may be late, and says then which input is shown.
    while (this.#end === undefined && this.#shownSeq < this.#sentSeq) await this.#wait(EFFECT_MS);
    if (this.#end !== undefined) throw new DeviceFault('unreachable', this.#end);
    return this.#shownSeq;
  }

  async capture(): Promise<Picture> {
    await this.settled();
    this.#told = false;
    const version = this.#version;
    if (this.#picture?.version !== version) this.#picture = this.#decode(version);
    if (this.#picture.inputSeq < this.#shownSeq) this.#picture = { ...this.#picture, inputSeq: this.#shownSeq };
    return this.#picture;
  }

  onChange(listener: () => void): void {
    this.#tell = listener;
  }

  /** Called when the orientation of the pictures changes, for any reason. */
  onTurned(listener: () => void): void {
    this.#turnedByItself = listener;
  }

  start(listener: PacketListener): () => void {
    const packets = {
      ...listener,
      packet: listener.packet.bind(listener),
      ended: listener.ended.bind(listener),
      waits: true,
    };
    if (this.#end !== undefined) {
      const reason = this.#end;
      setImmediate(() => listener.ended(reason));
      return () => undefined;
    }
    this.#packets = packets;
    this.#feed.requestKey();
    return () => {
      if (this.#packets === packets) this.#packets = undefined;
    };
  }

  requestKey(): void {
    this.#feed.requestKey();
  }

  close(): void {
    this.#end ??= 'The device was closed.';
    this.#feed.close();
    clearTimeout(this.#effectTimer);
    this.#packets = undefined;
    this.#pending = [];
    this.#decoder?.close();
    this.#decoder = undefined;
    this.#wake();
  }

  #take(unit: AccessUnit, head: StreamHead): void {
    if (!this.#layout.isOfScreen(head)) {
      return this.#fail(`The video tells of a screen of ${head.width}×${head.height} pixels, which is not this one.`);
    }
    const turned = this.#head !== undefined && isLying(head) !== isLying(this.#head);
    this.#head = head;
    if (turned) this.#turnedByItself();
    if (unit.key) this.#pending = [];
    this.#pending.push(unit);
    if (performance.now() >= this.#sentMs + IN_FLIGHT_MS) this.#shownSeq = this.#sentSeq;
    this.#version++;
    this.#handOn(unit, head);
    try {
      if (this.#pending.length > PENDING_MAX) this.#decodePending();
    } catch {
      this.#bad();
    }
    this.#changed();
  }

  #handOn({ key, payload }: AccessUnit, { codec, width, height }: StreamHead): void {
    const packets = this.#packets;
    if (!packets || (packets.waits && !key)) return;
    // A picture that lies the wrong way has to be turned, and so encoded anew, by who captures.
    if (this.#layout.needsTurning({ width, height }, this.#orientation)) {
      this.#packets = undefined;
      return packets.ended('The video shows the panel, which has been turned.');
    }
    packets.waits = false;
    const packet: ScreenPacket = {
      key,
      // Decoding may read it later, and who is told gives it away.
      payload: Uint8Array.from(payload),
      ...(key ? { codec } : {}),
      width,
      height,
      orientation: this.#orientation,
      inputSeq: this.#shownSeq,
    };
    packets.packet(packet);
  }

  #decode(version: number): Picture {
    try {
      this.#decodePending();
    } catch {
      this.#bad();
      if (this.#end !== undefined) throw new DeviceFault('nonsense', this.#end);
    }
    const decoded = this.#decoder?.pixels();
    if (!decoded) throw new DeviceFault('nonsense', 'The video has pictures that cannot be decoded.');
    const upright = this.#layout.needsTurning(decoded, this.#orientation)
      ? this.#layout.turned(decoded, this.#orientation)
      : decoded;
    const { width, height } = upright;
    return {
      ...upright,
      orientation: this.#orientation,
      version,
      damage: [{ x: 0, y: 0, width, height }],
      inputSeq: this.#shownSeq,
    };
  }

  #decodePending(): void {
    this.#decoder ??= new PictureDecoder();
    const units = this.#pending;
    this.#pending = [];
    for (const { payload } of units) this.#decoder.push(payload);
    this.#badPictures = 0;
  }

  /** The rest until the next key picture cannot be decoded either. */
  #bad(): void {
    this.#pending = [];
    if (++this.#badPictures > BAD_PICTURES_MAX) return this.#fail('The video has pictures that cannot be decoded.');
    this.#feed.requestKey();
  }

  /** An input has changed nothing that is to be seen: the picture before shows its effect. */
  #noEffect(): void {
    if (this.#shownSeq === this.#sentSeq) return;
    this.#shownSeq = this.#sentSeq;
    if (this.#packets) this.#feed.requestKey();
    this.#changed();
  }

  #changed(): void {
    if (this.#picture && this.#picture.orientation !== this.#orientation) this.#version++;
    this.#wake();
    if (this.#told) return;
    this.#told = true;
    this.#tell();
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  #wait(forMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.max(1, forMs));
      this.#waiting.add(wake);
    });
  }

  #fail(reason: string): void {
    if (this.#end !== undefined) return;
    this.#end = reason;
    this.#feed.close();
    this.#packets?.ended(reason);
    this.#packets = undefined;
    this.#wake();
    this.#lose(reason);
  }
}

const isLying = ({ width, height }: PictureSize): boolean => width > height;
