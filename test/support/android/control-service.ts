import { closeSync, openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { type Finger, type GuestPhone, HEIGHT, WIDTH } from './guest-phone.ts';
import type { StandInKeys } from './key-exchange.ts';

export interface ControlServiceOptions {
  readonly token?: string;
  /** Lets those in who sign their tokens. */
  readonly keys?: StandInKeys;
  /** An emulator from before the open call for input, and without a clipboard to share. */
  readonly old?: boolean;
}

interface Format {
  readonly transport?: { readonly channel: number; readonly handle: string } | null;
}

interface Gps {
  readonly passiveUpdate: boolean;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed: number;
  readonly bearing: number;
  readonly altitude: number;
  readonly satellites: number;
}

interface Picture {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const FRAME_MS = 16;
const EMPTY = {};
const REFUSAL = { code: status.INVALID_ARGUMENT, details: 'no touch screen' };
const ANGLES = [0, 90, 180, -90];

/** A stand-in of the emulator's control service, in front of a phone of its own. */
export class ControlService {
  readonly guest: GuestPhone;
  readonly calls: string[] = [];
  /** Whether the guest follows its sensor. */
  autoRotate = true;
  /** Replaces pictures on their way, for faults. */
  corrupt: ((image: Record<string, unknown>) => Record<string, unknown>) | undefined;
  /** Calls are taken and never answered. */
  stuck = false;
  /** The next input is taken, and answered, so much later; what comes behind it waits for its turn. */
  dozeMs = 0;
  /** Input is answered with an error. */
  refuse = false;
  /** Where emulators are until they are told otherwise. */
  gps: Gps = {
    passiveUpdate: true,
    latitude: 37.421998,
    longitude: -122.084,
    speed: 0,
    bearing: 0,
    altitude: 5,
    satellites: 5,
  };
  readonly #server = new Server({ 'grpc.max_send_message_length': -1 });
  readonly #options: ControlServiceOptions;
  readonly #streams = new Set<() => void>();
  #rendering: NodeJS.Timeout | undefined;
  #dozing: Promise<void> | undefined;
  readonly #clipboards = new Set<ServerWritableStream<object, { text: string }>>();
  /** The connection whose text is just being taken. */
  #writer: string | undefined;
  port = 0;

  constructor(guest: GuestPhone, options: ControlServiceOptions = {}) {
    this.guest = guest;
    this.#options = options;
    this.#place();
    guest.phone.onChange(() => this.#renderSoon());
    guest.phone.onClipboard(() => {
      for (const call of this.#clipboards) if (call.getPeer() !== this.#writer) this.#tellClipboard(call);
    });
  }

  async listen(): Promise<void> {
    const file = fileURLToPath(new URL('./emulator_controller.proto', import.meta.url));
    const loaded = loadPackageDefinition(
      loadSync(file, { keepCase: true, longs: Number, defaults: true, enums: undefined as never }),
    );
    const { service } = (
      loaded as never as { android: { emulation: { control: { EmulatorController: { service: ServiceDefinition } } } } }
    ).android.emulation.control.EmulatorController;
    this.#server.addService(service, this.#handlers() as never);
    this.port = await new Promise((resolve, reject) => {
      this.#server.bindAsync(`127.0.0.1:${this.port}`, ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port),
      );
    });
  }

  close(): void {
    clearTimeout(this.#rendering);
    this.#streams.clear();
    this.#server.forceShutdown();
  }

  #handlers() {
    const unary =
      <In, Out>(name: string, work: (request: In, peer: string) => Out) =>
      (call: ServerUnaryCall<In, Out>, answer: sendUnaryData<Out>) => {
        this.calls.push(name);
        if (this.stuck) return;
        if (!this.#admits(call, name)) return answer({ code: status.UNAUTHENTICATED, details: 'no token' });
        if (this.refuse && name.startsWith('send')) return answer(REFUSAL);
        const take = () => answer(null, work(call.request, call.getPeer()));
        if (name.startsWith('send')) this.#take(take);
        else take();
      };
    return {
      getStatus: unary('getStatus', () => ({
        version: '35.1.0',
        uptime: 1_000,
        booted: true,
        hardwareConfig: {
          entry: [
            { key: 'hw.lcd.width', value: String(this.guest.displays[0]?.width ?? WIDTH) },
            { key: 'hw.lcd.height', value: String(this.guest.displays[0]?.height ?? HEIGHT) },
          ],
        },
      })),
      sendTouch: unary('sendTouch', (event: { touches: Finger[] }) => {
        this.guest.touch(event.touches);
        return EMPTY;
      }),
      sendKey: unary('sendKey', (event: never) => {
        this.guest.key(event);
        return EMPTY;
      }),
      setPhysicalModel: unary('setPhysicalModel', (model: { target: number; value: { data: number[] } }) => {
        const scheduler = ANGLES.indexOf(model.value.data[2] ?? 0);
        if (model.target !== 1 || scheduler < 0) this.guest.violations.push('a senseless physical model');
        else if (this.autoRotate) this.guest.turnTo(scheduler);
        return EMPTY;
      }),
      ...(this.#options.old ? {} : this.#clipboardHandlers(unary)),
      setVmState: unary('setVmState', () => EMPTY),
      setGps: unary('setGps', (state: Gps) => {
        this.gps = state;
        this.#place();
        return EMPTY;
      }),
      getGps: unary('getGps', () => this.gps),
      getScreenshot: unary('getScreenshot', () => this.#image(this.guest.phone.render(), undefined, 1)),
      ...(this.#options.old ? {} : { streamInputEvent: this.#streamInput }),
      streamScreenshot: this.#streamScreen,
    };
  }

  #place(): void {
    const { latitude, longitude, altitude } = this.gps;
    this.guest.phone.location = { latitude, longitude, altitudeM: altitude };
  }

  #clipboardHandlers(
    unary: <In, Out>(name: string, work: (request: In, peer: string) => Out) => unknown,
  ): Record<string, unknown> {
    const { phone } = this.guest;
    return {
      setClipboard: unary('setClipboard', ({ text }: { text: string }, peer: string) => {
        this.#writer = peer;
        phone.clipboard = text;
        this.#writer = undefined;
        return EMPTY;
      }),
      getClipboard: unary('getClipboard', () => ({ text: phone.clipboard })),
      streamClipboard: this.#streamClipboard,
    };
  }

  readonly #streamInput = (call: ServerReadableStream<never, object>, answer: sendUnaryData<object>): void => {
    this.calls.push('streamInputEvent');
    if (!this.#admits(call, 'streamInputEvent')) return answer({ code: status.UNAUTHENTICATED, details: 'no token' });
    if (this.stuck) return;
    call.on('data', (event: { key_event?: never; touch_event?: { touches: Finger[] } }) => {
      if (this.stuck) return;
      if (this.refuse) return answer(REFUSAL);
      this.#take(() => {
        if (event.touch_event) this.guest.touch(event.touch_event.touches);
        if (event.key_event) this.guest.key(event.key_event);
      });
    });
    call.on('end', () => this.stuck || this.#take(() => answer(null, EMPTY), false));
    call.on('error', () => undefined);
  };

  /** Tells the text that the clipboard holds, and later ones, but to the connection that wrote them. */
  readonly #streamClipboard = (call: ServerWritableStream<object, { text: string }>): void => {
    this.calls.push('streamClipboard');
    if (!this.#admits(call, 'streamClipboard')) {
      call.destroy(Object.assign(new Error('no token'), { code: status.UNAUTHENTICATED }));
      return;
    }
    this.#tellClipboard(call);
    this.#clipboards.add(call);
    call.on('cancelled', () => this.#clipboards.delete(call));
  };

  #tellClipboard(call: ServerWritableStream<object, { text: string }>): void {
    call.write({ text: this.guest.phone.clipboard });
  }

  /** Ends the calls that follow the clipboard. */
  breakClipboards(): void {
    for (const call of this.#clipboards) call.emit('error', { code: status.UNAVAILABLE, details: 'broken' });
    this.#clipboards.clear();
  }

  readonly #streamScreen = (call: ServerWritableStream<Format, object>): void => {
    this.calls.push(call.request.transport?.channel === 1 ? 'streamScreenshot mmap' : 'streamScreenshot');
    if (!this.#admits(call, 'streamScreenshot')) {
      call.destroy(Object.assign(new Error('no token'), { code: status.UNAUTHENTICATED }));
      return;
    }
    let seq = 0;
    // Opened once, as an emulator maps it once: it may be gone from its folder when the last picture is written.
    const { transport } = call.request;
    const file = transport?.channel === 1 ? openSync(transport.handle.slice('file://'.length), 'r+') : undefined;
    const send = () => void call.write(this.#image(this.guest.phone.render(), file, seq++));
    call.write({ seq: 0 });
    send();
    this.#streams.add(send);
    call.on('cancelled', () => {
      if (this.#streams.delete(send) && file !== undefined) closeSync(file);
    });
  };

  #image({ pixels, width, height }: Picture, file: number | undefined, seq: number): object {
    let image: Uint8Array = Buffer.from(pixels);
    if (file !== undefined) {
      writeSync(file, image, 0, image.length, 0);
      image = new Uint8Array();
    }
    // The part of the screen that a folded emulator shows: its outer display.
    const outer = this.guest.displays.slice(1).find(({ name }) => name === this.guest.phone.display);
    const folded = outer && { foldedDisplay: { width: outer.width, height: outer.height } };
    const format = { format: 1, width, height, rotation: { rotation: this.guest.scheduler }, ...folded };
    const whole = { format, image, seq, timestampUs: Math.round((performance.timeOrigin + performance.now()) * 1_000) };
    return this.corrupt ? this.corrupt(whole) : whole;
  }

  /** @param wakes whether an emulator that dozes has to wake up for it */
  #take(work: () => void, wakes = true): void {
    if (wakes && this.dozeMs > 0) {
      this.#dozing = sleep(this.dozeMs).then(() => {
        this.#dozing = undefined;
      });
      this.dozeMs = 0;
    }
    if (this.#dozing !== undefined) void this.#dozing.then(work);
    else work();
  }

  #renderSoon(): void {
    this.#rendering ??= setTimeout(() => {
      this.#rendering = undefined;
      for (const send of this.#streams) send();
      if (this.guest.phone.animating && this.#streams.size > 0) this.#renderSoon();
    }, FRAME_MS);
  }

  #admits({ metadata }: { metadata: { get(name: string): unknown[] } }, method: string): boolean {
    const { token, keys } = this.#options;
    const [header] = metadata.get('authorization');
    if (token !== undefined && header === `Bearer ${token}`) return true;
    if (keys) return keys.admits(header, `/android.emulation.control.EmulatorController/${method}`);
    return token === undefined;
  }
}
