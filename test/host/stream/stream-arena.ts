import type { Picture } from '../../../server/device/driver.ts';
import { CaptureGate } from '../../../server/host/capture-gate.ts';
import type { EncodedPicture, PictureEncoder } from '../../../server/host/stream/picture-encoder.ts';
import { ScreenPipeline } from '../../../server/host/stream/screen-pipeline.ts';
import type { ScreenProfile, StreamPicture } from '../../../server/link/messages.ts';
import { FakeClock, settled } from '../../support/fake-clock.ts';
import { ScriptedDevice, solidPicture } from '../../support/scripted-device.ts';

/** A little more than one picture's time at 60 a second. */
export const FRAME_MS = 17;

export const H264: ScreenProfile = { encoding: 'h264', quality: 80, maxFps: 60 };
export const JPEG: ScreenProfile = { ...H264, encoding: 'jpeg' };

/** An encoder that writes down what it is asked for, and gives the picture's version as its bytes. */
export class ScriptedEncoder implements PictureEncoder {
  readonly repeatsCheaply: boolean;
  readonly asked: { readonly version: number; readonly key: boolean }[] = [];
  /** Time that passes while a picture is encoded. */
  costMs = 0;
  failure: Error | undefined;
  /** Answers wait until the test lets them go. */
  readonly held: (() => void)[] = [];
  holds = false;
  /** Until when the pixels of the newest picture must not change. */
  reading: Promise<void> | undefined;
  closed = 0;
  readonly #clock: { spend(ms: number): void };

  constructor(profile: ScreenProfile, clock: { spend(ms: number): void }) {
    this.repeatsCheaply = profile.encoding === 'h264';
    this.#clock = clock;
  }

  encode(picture: Picture, key: boolean): EncodedPicture | Promise<EncodedPicture> {
    const { version, width, height } = picture;
    this.asked.push({ version, key });
    if (this.failure) throw this.failure;
    if (this.costMs > 0) this.#clock.spend(this.costMs);
    const encoded = { key: key || !this.repeatsCheaply, width, height, payload: Uint8Array.of(version) };
    return this.holds ? new Promise((resolve) => void this.held.push(() => resolve(encoded))) : encoded;
  }

  close(): void {
    this.closed++;
  }
}

/** The events of one stream. */
export interface Heard {
  readonly pictures: StreamPicture[];
  readonly ended: string[];
}

/** A pipeline over a scripted device on a clock that stands still. */
export class StreamArena {
  readonly clock = new SpendableClock();
  readonly device = new ScriptedDevice();
  readonly gate = new CaptureGate(this.device);
  readonly encoders: ScriptedEncoder[] = [];
  readonly pipeline: ScreenPipeline;
  captures = 0;
  /** How encoders fail to be made. */
  missing: Error | undefined;
  readonly #heard = new Map<number, Heard>();
  #version = 0;

  constructor() {
    const capture = this.device.capture.bind(this.device);
    this.device.capture = () => {
      this.captures++;
      return capture();
    };
    const sink = {
      picture: (stream: number, picture: StreamPicture) => void this.heard(stream).pictures.push(picture),
      ended: (stream: number, reason: string) => void this.heard(stream).ended.push(reason),
    };
    const createEncoder = async (profile: ScreenProfile) => {
      if (this.missing) throw this.missing;
      const encoder = new ScriptedEncoder(profile, this.clock);
      this.encoders.push(encoder);
      return encoder;
    };
    this.pipeline = new ScreenPipeline(this.device, this.gate, sink, { clock: this.clock, createEncoder });
  }

  heard(stream: number): Heard {
    const heard = this.#heard.get(stream) ?? { pictures: [], ended: [] };
    this.#heard.set(stream, heard);
    return heard;
  }

  /** The packets of the stream: `k` or `p` for the kind, `=` if unchanged, and the version. */
  sent(stream: number): string[] {
    return this.heard(stream).pictures.map(
      ({ key, unchanged, payload }) => `${key ? 'k' : 'p'}${unchanged ? '=' : ''}${payload[0]}`,
    );
  }

  async watch(stream: number, profile: ScreenProfile): Promise<ScriptedEncoder> {
    await this.pipeline.watch(stream, profile);
    await quiet();
    const encoder = this.encoders.at(-1);
    if (!encoder) throw new Error('no encoder was made');
    return encoder;
  }

  /** The screen changes. */
  async change(fields: Partial<Picture> = {}): Promise<void> {
    const version = ++this.#version;
    this.device.show({ ...solidPicture(version, version), ...fields });
    await quiet();
  }

  /** An input comes that changes no pixel. */
  async touchInVain(inputSeq: number): Promise<void> {
    this.device.show({ ...this.device.picture, inputSeq });
    await quiet();
  }
}

/** A clock that also goes on while something synchronous runs. */
class SpendableClock extends FakeClock {
  #spentMs = 0;

  spend(ms: number): void {
    this.#spentMs += ms;
  }

  override monotonicMs(): number {
    return super.monotonicMs() + this.#spentMs;
  }
}

/** The pipeline works in turns of the event loop; after these few nothing is left that time does not hold back. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await settled();
}
