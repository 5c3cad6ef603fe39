import { hasMark } from './eyes.ts';
import type { OpenTap, Subject, TapFigures } from './job.ts';
import { placeOf } from './places.ts';
import { Rfb } from './rfb.ts';
import { inTime } from './tap-loop.ts';
import { TigerVnc } from './tiger-vnc.ts';

/** A window on TigerVNC's server, tapped and watched over the remote framebuffer protocol. */
export class VncSubject implements Subject {
  readonly #server: TigerVnc;
  readonly #rfb: Rfb;
  #open: OpenTap | undefined;
  #failure: Error | undefined;

  private constructor(server: TigerVnc, rfb: Rfb) {
    this.#server = server;
    this.#rfb = rfb;
  }

  static async open(width: number, height: number, frameRate?: number): Promise<VncSubject> {
    const server = await TigerVnc.start(width, height, frameRate);
    try {
      const subject = new VncSubject(server, await Rfb.connect(server.port));
      const first = new Promise<void>((resolve, reject) => {
        const watching = subject.#rfb.watch((picture, bytes, arrivedMs) => {
          resolve();
          subject.#updated(picture, bytes, arrivedMs);
        });
        watching.catch((error: Error) => {
          subject.#failure = error;
          subject.#open?.failed(error);
          reject(error);
        });
      });
      await inTime(first, 'the first picture over VNC');
      return subject;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  get bytes(): number {
    return this.#rfb.bytes;
  }

  tap(n: number): Promise<TapFigures> {
    const place = placeOf(n);
    const { width, height } = this.#rfb.size;
    const seen = new Promise<TapFigures>((resolve, failed) => {
      if (this.#failure) return failed(this.#failure);
      this.#open = { place, sentMs: performance.now(), seen: resolve, failed };
      this.#rfb.tap(Math.floor(place.x * width), Math.floor(place.y * height));
    });
    return inTime(seen, 'a tap’s picture over VNC');
  }

  async close(): Promise<void> {
    this.#rfb.close();
    await this.#server.close();
  }

  #updated(picture: Parameters<typeof hasMark>[0], bytes: number, arrivedMs: number): void {
    const tap = this.#open;
    if (!tap || !hasMark(picture, tap.place)) return;
    this.#open = undefined;
    const { sentMs } = tap;
    tap.seen({ photonMs: arrivedMs - sentMs, pixelsMs: performance.now() - sentMs, pictureBytes: bytes });
  }
}
