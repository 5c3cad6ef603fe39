import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type GrpcObject,
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServiceClientConstructor,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { accessibilityInfo } from './accessibility-info.ts';
import { type Guest, PANEL } from './guest.ts';
import { GuestVideo } from './guest-video.ts';
import { addLast, digestOf, unitsOf } from './serve-sim-stand-in.ts';

const PROTO = fileURLToPath(new URL('idb-subset.proto', import.meta.url));
const BUTTONS = ['apple pay', 'home', 'lock', 'side', 'siri'];
const ORIENTATIONS = ['portrait', 'portrait_upside_down', 'landscape_left', 'landscape_right'];

/** For how long a guest waits for a second press before it takes the first one for all. */
const SECOND_PRESS_MS = 400;

interface HidEvent {
  readonly press?: {
    readonly direction: number;
    readonly action?: {
      readonly touch?: { readonly point: { readonly x: number; readonly y: number } };
      readonly button?: { readonly button: number };
      readonly key?: { readonly keycode: number };
    };
  };
  readonly delay?: { readonly duration: number };
  readonly orientation?: { readonly orientation: number };
}

/** A stand-in of idb_companion: its service on a socket of a folder. It knows points, not pixels. */
export class CompanionStandIn {
  kill: () => void = () => undefined;
  /** Calls to `video_stream` that go on. */
  videos = 0;
  /** Events are not taken and calls not answered, as by a process that hangs. */
  hangs = false;
  /** Takes so long for each event. */
  slowMs = 0;
  /** Ends calls of inputs with these words. */
  refuses: string | undefined;
  /** Changes the bytes of the video, to see what a faulty companion does. */
  garble: (bytes: Buffer) => Buffer = (bytes) => bytes;
  /** Digests of every slice that its encoder has made, without what says where it ends. */
  readonly scheduler = new Set<string>();
  readonly #server = new Server();
  readonly #guest: Guest;
  #fingerDown = false;
  /** A press of home that may yet be the first of two. */
  #home: { readonly over: Promise<void>; readonly settle: () => void } | undefined;
  #closed = false;

  private constructor(guest: Guest) {
    this.#guest = guest;
    const definition = loadSync(PROTO, { keepCase: true, longs: Number, oneofs: true });
    const { CompanionService } = loadPackageDefinition(definition).idb as GrpcObject;
    this.#server.addService((CompanionService as ServiceClientConstructor).service, {
      describe: (_: unknown, reply: sendUnaryData<object>) => {
        const [points_x, points_y] = [PANEL.width / 2, PANEL.height / 2];
        const screen_dimensions = {
          width: PANEL.width,
          height: PANEL.height,
          density: 2,
          width_points: points_x,
          height_points: points_y,
        };
        reply(null, { target_description: { udid: 'x', screen_dimensions } });
      },
      setting: (
        { request }: { request: { hardwareKeyboard?: { enabled: boolean } } },
        reply: sendUnaryData<object>,
      ) => {
        const wanted = request.hardwareKeyboard?.enabled === true;
        if (this.#guest.inspect().keyboardShown === wanted) this.#guest.toggleKeyboard();
        reply(null, {});
      },
      accessibility_info: ({ request }: { request: { format?: number } }, reply: sendUnaryData<object>) =>
        reply(null, { json: accessibilityInfo(this.#guest.phone, request.format === 1) }),
      simulate_memory_warning: (_: unknown, reply: sendUnaryData<object>) => {
        this.#guest.memoryWarning();
        reply(null, {});
      },
      hid: (call: ServerReadableStream<HidEvent, object>, reply: sendUnaryData<object>) => void this.#hid(call, reply),
      video_stream: (call: ServerDuplexStream<{ start?: { format: number }; stop?: object }, object>) =>
        this.#video(call),
    });
  }

  static async listen(path: string, guest: Guest): Promise<CompanionStandIn> {
    const helper = new CompanionStandIn(guest);
    await new Promise<void>((resolve, reject) => {
      helper.#server.bindAsync(`unix:${path}`, ServerCredentials.createInsecure(), (error) =>
        error ? reject(error) : resolve(),
      );
    });
    return helper;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#server.forceShutdown();
  }

  async #hid(call: ServerReadableStream<HidEvent, object>, reply: sendUnaryData<object>): Promise<void> {
    try {
      for await (const event of call as AsyncIterable<HidEvent>) {
        await this.#untilAwake(call);
        if (this.slowMs > 0) await sleep(this.slowMs);
        if (this.refuses !== undefined) return reply({ code: status.INTERNAL, details: this.refuses });
        await this.#event(event);
      }
      await this.#untilAwake(call);
      await this.#home?.over;
      reply(null, {});
    } catch {
      reply(null, {});
    }
  }

  /** Rejects if the call is cancelled while it waits, so that it has no effect. */
  async #untilAwake(call: ServerReadableStream<HidEvent, object>): Promise<void> {
    while (this.hangs && !call.cancelled && !this.#closed) await sleep(10);
    if (call.cancelled) throw new Error('cancelled');
  }

  async #event({ press, delay, orientation }: HidEvent): Promise<void> {
    if (delay) await sleep(delay.duration * 1_000);
    if (orientation) this.#guest.rotate(ORIENTATIONS[orientation.orientation] ?? '');
    const down = (press?.direction ?? 0) === 0;
    const { touch, button, key } = press?.action ?? {};
    if (touch) {
      // In points, so that a pixel has two halves.
      const point = { x: touch.point.x / (PANEL.width / 2), y: touch.point.y / (PANEL.height / 2) };
      this.#guest.touch(down ? (this.#fingerDown ? 'move' : 'begin') : 'end', [point]);
      this.#fingerDown = down;
    }
    if (key) this.#guest.key(down ? 'down' : 'up', key.keycode);
    if (button) this.#button(BUTTONS[button.button] ?? '', down);
  }

  #button(name: string, down: boolean): void {
    if (name === 'lock') return this.#guest.control(12, 48, down ? 'down' : 'up');
    if (name === 'side') return this.#guest.control(12, 149, down ? 'down' : 'up');
    if (name !== 'home' || !down) return;
    if (this.#home) {
      this.#home.settle();
      return this.#guest.button('app_switcher');
    }
    let settle: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      const alone = setTimeout(() => {
        settle();
        this.#guest.button('home');
      }, SECOND_PRESS_MS);
      settle = () => {
        clearTimeout(alone);
        this.#home = undefined;
        resolve();
      };
    });
    this.#home = { over, settle };
  }

  #video(call: ServerDuplexStream<{ start?: { format: number }; stop?: object }, object>): void {
    let video: GuestVideo | undefined;
    const stop = () => {
      if (video) this.videos--;
      video?.close();
      video = undefined;
    };
    call.on('data', ({ start, stop: stops }) => {
      if (stops) {
        stop();
        call.end();
        return;
      }
      if (start?.format !== 0 || video) return;
      this.videos++;
      video = new GuestVideo(this.#guest, false, (payload) => {
        for (const unit of unitsOf(payload)) if ((unit[0] ?? 0) % 32 < 6) addLast(this.scheduler, digestOf(unit));
        const bytes = this.garble(payload);
        // In pieces that end anywhere.
        for (let at = 0; at < bytes.length; at += 10_000) {
          call.write({ payload: { data: bytes.subarray(at, at + 10_000) } });
        }
      });
    });
    call.on('cancelled', stop);
    call.on('end', stop);
    call.on('error', stop);
  }
}
