import { closeSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DeviceFault } from '../../../device/fault.ts';
import { plainLine } from '../../process/plain-line.ts';
import type { DisplaySize, QuarterTurns } from '../guest/orientation.ts';
import type { ControlClient, ScreenCall } from './control-client.ts';
import { type Image, type ImageFormat, MMAP, RGBA8888 } from './messages.ts';
import { makePictureFolder } from './picture-folder.ts';

/** One picture of the emulator's screen, upright. */
export interface ScreenFrame {
  /** RGBA, row by row from the top; valid until the one after the next is read. */
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly turns: QuarterTurns;
}

/** The known properties of the newest picture before its pixels are read. */
interface Announced {
  readonly width: number;
  readonly height: number;
  readonly turns: QuarterTurns;
  readonly folded: DisplaySize | undefined;
  /** Absent when the pixels are in the shared file. */
  readonly image: Buffer | undefined;
  /** By the emulator's clock. */
  readonly takenAtUs: number;
}

const BYTES_PER_PIXEL = 4;
/** Edges beyond this are not believed. */
const EDGE_MAX = 8_192;
/** A picture that the emulator overwrites while it is read is read again; the one after it comes anyway. */
const READS_MAX = 4;
/** A feed that ends is opened again so many times in a row before the device counts as lost. */
const ENDS_MAX = 3;
const REOPEN_MS = 200;
/** Pictures of the stream that were on their way when another was asked for have come after this. */
const UNDER_WAY_MS_MAX = 1_000;
/** So many senseless pictures in a row are no accident. */
const NONSENSE_MAX = 100;

/**
 * The emulator's pictures as they come: through a file of shared memory where `folder` is one that the emulator can write
 * too, else as messages. The stream is silent while nothing changes.
 */
export class ScreenFeed {
  readonly #client: ControlClient;
  readonly #folder: string | undefined;
  readonly #file: number | undefined;
  readonly #bytesMax: number;
  readonly #onFrame: () => void;
  readonly #onEnded: (reason: string) => void;
  #viaFile: boolean;
  #call: ScreenCall | undefined;
  #announced: Announced | undefined;
  /** The picture that was asked for last, while older ones may still come. */
  #asked: Announced | undefined;
  #ends = 0;
  #nonsense = 0;
  #closed = false;
  /** The first one was given away last, and is compared with the next. */
  #buffers: readonly [Buffer, Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0), Buffer.alloc(0)];
  #reopening: NodeJS.Timeout | undefined;
  #forgetting: NodeJS.Timeout | undefined;

  constructor(
    client: ControlClient,
    { width, height }: DisplaySize,
    options: { folder: string | undefined; onFrame: () => void; onEnded: (reason: string) => void },
  ) {
    this.#client = client;
    this.#onFrame = options.onFrame;
    this.#onEnded = options.onEnded;
    this.#bytesMax = Math.max(width, height) ** 2 * BYTES_PER_PIXEL;
    this.#folder = options.folder === undefined ? undefined : makePictureFolder(options.folder);
    this.#viaFile = this.#folder !== undefined;
    if (this.#folder !== undefined) {
      this.#file = openSync(join(this.#folder, 'frame'), 'w+', 0o600);
      // Holds the picture in every orientation.
      ftruncateSync(this.#file, this.#bytesMax);
    }
  }

  /** How the device was turned in the newest picture. */
  get turns(): QuarterTurns {
    return this.#announced?.turns ?? 0;
  }

  /** Of the newest picture. */
  get size(): DisplaySize {
    return this.#announced ?? { width: 0, height: 0 };
  }

  /** The display that the newest picture shows, as it is built, if the emulator is folded. */
  get folded(): DisplaySize | undefined {
    return this.#announced?.folded;
  }

  /** Begins; resolves when there is a picture. Rejects with a `DeviceFault` when none comes in time. */
  async begin(): Promise<void> {
    this.#open();
    // The stream's first message may be empty, and a screen that is still may give no other.
    await this.refresh();
  }

  /** Asks for the screen as it is now. Rejects with a `DeviceFault`. */
  async refresh(): Promise<void> {
    const format: ImageFormat = { format: RGBA8888, width: 0, height: 0 };
    const before = this.#announced;
    const asked = this.#read(await this.#client.screenshot(format), false);
    if (!asked) throw new DeviceFault('nonsense', 'The emulator gives no picture of its screen.');
    const streamed = this.#announced === before ? undefined : this.#announced;
    // The stream may have overtaken the answer; a screen that is still after that would show the older picture from then on.
    if (!streamed || streamed.takenAtUs <= asked.takenAtUs) this.#announced = asked;
    this.#asked = asked;
    clearTimeout(this.#forgetting);
    this.#forgetting = setTimeout(() => {
      this.#asked = undefined;
    }, UNDER_WAY_MS_MAX).unref();
  }

  /** The newest picture. Throws a `DeviceFault` when it is garbage. */
  take(): ScreenFrame {
    if (!this.#announced) throw new DeviceFault('unavailable', 'The emulator has not shown its screen yet.');
    const { width, height, turns, image } = this.#announced;
    const pixels = image ?? this.#readFile(width * height * BYTES_PER_PIXEL);
    return { pixels, width, height, turns };
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#reopening);
    clearTimeout(this.#forgetting);
    this.#call?.cancel();
    if (this.#file !== undefined) closeSync(this.#file);
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #open(): void {
    // The emulator takes what follows the scheme for a path as it stands.
    const transport = this.#viaFile ? { channel: MMAP, handle: `file://${join(this.#folder ?? '', 'frame')}` } : null;
    const call = this.#client.streamScreenshot({ format: RGBA8888, width: 0, height: 0, transport });
    this.#call = call;
    call.on('data', (image: Image) => {
      if (this.#call !== call) return;
      const announced = this.#read(image, this.#viaFile);
      if (!announced) {
        // The first message of a stream has no picture, and neither has a display that is off.
        if (image.image.length > 0 && ++this.#nonsense > NONSENSE_MAX) call.cancel();
        return;
      }
      this.#ends = 0;
      this.#nonsense = 0;
      // The two calls are not in one order.
      if (this.#asked && announced.takenAtUs < this.#asked.takenAtUs) return;
      this.#announced = announced;
      this.#onFrame();
    });
    let ended = false;
    const end = (reason: string) => {
      if (ended || this.#closed || this.#call !== call) return;
      ended = true;
      this.#reopen(reason);
    };
    call.on('error', (error) => end(plainLine(error.message)));
    call.on('end', () => end('it ended'));
  }

  #reopen(reason: string): void {
    this.#call = undefined;
    // An emulator that cannot write the file sends messages.
    if (this.#viaFile) this.#viaFile = false;
    else if (++this.#ends > ENDS_MAX) return this.#onEnded(reason);
    this.#reopening = setTimeout(() => {
      if (!this.#closed) this.#open();
    }, REOPEN_MS);
  }

  /** `undefined` for a message without a picture, and for one whose size cannot be. */
  #read({ format, image, timestampUs: takenAtUs }: Image, viaFile: boolean): Announced | undefined {
    const { width = 0, height = 0 } = format ?? {};
    const bytes = width * height * BYTES_PER_PIXEL;
    if (width < 1 || height < 1 || width > EDGE_MAX || height > EDGE_MAX) return undefined;
    const turns = format?.rotation?.rotation ?? 0;
    if (turns !== 0 && turns !== 1 && turns !== 2 && turns !== 3) return undefined;
    const { foldedDisplay } = format ?? {};
    const folded = foldedDisplay && foldedDisplay.width > 0 && foldedDisplay.height > 0 ? foldedDisplay : undefined;
    if (image.length === bytes) return { width, height, turns, folded, image, takenAtUs };
    return viaFile && image.length === 0 && bytes <= this.#bytesMax
      ? { width, height, turns, folded, image: undefined, takenAtUs }
      : undefined;
  }

  #readFile(bytes: number): Uint8Array {
    const file = this.#file ?? -1;
    const make = () => Buffer.allocUnsafe(bytes);
    const [given, ...spare] = this.#buffers[0].length === bytes ? this.#buffers : ([make(), make(), make()] as const);
    let [older, newest] = spare;
    readSync(file, newest, 0, bytes, 0);
    for (let reads = 1; reads < READS_MAX; reads++) {
      [older, newest] = [newest, older];
      readSync(file, newest, 0, bytes, 0);
      if (newest.equals(older)) break;
    }
    this.#buffers = [newest, given, older];
    return newest;
  }
}
