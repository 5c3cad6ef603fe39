import { readFileSync } from 'node:fs';
import { decodeJournal } from '../../../server/capture/journal.ts';
import type { Picture } from '../../../server/device/driver.ts';
import { DevicePool } from '../../../server/host/device-pool.ts';
import { createEncoder } from '../../../server/host/stream/create-encoder.ts';
import type { PictureEncoder } from '../../../server/host/stream/picture-encoder.ts';
import { HostLink } from '../../../server/link/host-link.ts';
import { serveHost } from '../../../server/link/host-side.ts';
import type { ScreenProfile, StreamPicture } from '../../../server/link/messages.ts';
import type { CaptureEnding } from '../../../server/link/recording-messages.ts';
import { RemoteDevice } from '../../../server/link/remote-device.ts';
import { portPair } from '../../support/port-pair.ts';
import { ScriptedDevice } from '../../support/scripted-device.ts';
import { sourceOf } from '../../support/scripted-host.ts';
import { type CaptureFolder, type Colour, captureFolder, HEIGHT, painted, WIDTH } from './captures.ts';

type Test = Pick<typeof import('tap').default, 'teardown'>;

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** A device whose screen has one colour at a time, behind a link, with the real encoders and the real clock. */
export class RecordingArena {
  readonly device = new ScriptedDevice();
  readonly remote: RemoteDevice;
  readonly order: CaptureFolder;
  /** The shared encoders that were made. */
  readonly encoders: ScreenProfile[] = [];
  readonly endings: CaptureEnding[] = [];
  /** The next picture to be encoded fails. */
  encoderFails = false;
  /** Of the newest picture that a shared encoder has brought to its end. */
  encodedVersion = 0;
  /** How long each picture takes to encode, at least. */
  encodingMs = 0;
  #version = 0;

  private constructor(remote: RemoteDevice, order: CaptureFolder, device: ScriptedDevice) {
    this.remote = remote;
    this.order = order;
    this.device = device;
  }

  static async open(t: Test): Promise<RecordingArena> {
    // Timers of devices and streams keep no process alive.
    const alive = setInterval(() => undefined, 1_000);
    t.teardown(() => clearInterval(alive));
    const device = new ScriptedDevice();
    const holder: { arena?: RecordingArena } = {};
    const pair = portPair();
    const create = async (profile: ScreenProfile): Promise<PictureEncoder> => {
      holder.arena?.encoders.push(profile);
      const encoder = await createEncoder(profile);
      const encode = encoder.encode.bind(encoder);
      encoder.encode = (...picture) => {
        if (holder.arena?.encoderFails) throw new Error('the encoder is broken');
        const sinceMs = performance.now();
        while (performance.now() - sinceMs < (holder.arena?.encodingMs ?? 0));
        const encoded = encode(...picture);
        const told = () => {
          if (holder.arena) holder.arena.encodedVersion = picture[0].version;
        };
        void Promise.resolve(encoded).then(told, () => undefined);
        return encoded;
      };
      return encoder;
    };
    serveHost(
      pair.host,
      new DevicePool(
        sourceOf(async () => device),
        { createEncoder: create },
      ),
    );
    const remote = await RemoteDevice.open(new HostLink(pair.gateway), 1, { platform: 'ios' });
    t.teardown(() => remote.close().catch(() => undefined));
    const arena = new RecordingArena(remote, captureFolder(t), device);
    holder.arena = arena;
    arena.paint([255, 255, 255]);
    return arena;
  }

  record(order: Partial<CaptureFolder> = {}) {
    const listener = { ended: (ending: CaptureEnding) => void this.endings.push(ending) };
    return this.remote.startRecording({ ...this.order, ...order }, listener);
  }

  /** The screen shows another colour, and turns when it is told another size. */
  paint(colour: Colour, width = WIDTH, height = HEIGHT): Picture {
    const picture = painted(++this.#version, colour, width, height);
    this.device.show(picture);
    return picture;
  }

  /** Somebody watches; what they see. */
  watch(profile: ScreenProfile): { readonly pictures: StreamPicture[]; readonly ended: string[]; stop(): void } {
    const pictures: StreamPicture[] = [];
    const ended: string[] = [];
    const stream = this.remote.watch(profile, {
      picture: (picture) => void pictures.push(picture),
      ended: (reason) => void ended.push(reason),
    });
    return { pictures, ended, stop: () => stream.stop() };
  }

  /** Waits until so many pictures are on disk. */
  recorded(samples: number, journalFile = this.order.journalFile): Promise<void> {
    return this.until(
      () => decodeJournal(readFileSync(journalFile)).filter(({ kind }) => kind === 'sample').length >= samples,
    );
  }
  /** Waits for something to become true. */
  async until(condition: () => boolean): Promise<void> {
    for (let turn = 0; turn < 6_000; turn++) {
      if (condition()) return;
      await sleep(5);
    }
    throw new Error('it did not become true');
  }
}

/** The colour in the middle of a share of a frame, RGB. */
export function colourAt(frame: Buffer, x: number, y: number, width = WIDTH): Colour {
  const at = (y * width + x) * 3;
  return [frame[at] ?? -1, frame[at + 1] ?? -1, frame[at + 2] ?? -1];
}

/** Encoders and colour conversion move a colour by a little. */
export const isNear = (one: Colour, other: Colour): boolean =>
  one.every((value, index) => Math.abs(value - (other[index] ?? 0)) <= 12);
