import { fileURLToPath } from 'node:url';
import {
  type CallOptions,
  type ClientDuplexStream,
  type ClientReadableStream,
  type ClientUnaryCall,
  type ClientWritableStream,
  credentials,
  loadPackageDefinition,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { DeviceFault, type DeviceFaultKind } from '../../../device/fault.ts';
import { plainLine } from '../../process/plain-line.ts';
import type { ControlAccess } from './control-access.ts';
import type {
  ClipData,
  EmulatorStatus,
  GpsState,
  Image,
  ImageFormat,
  InputEvent,
  KeyboardEvent,
  Touch,
} from './messages.ts';

/** A picture of 16 megapixels as RGBA, and the fields around it. */
const MESSAGE_BYTES_MAX = 67_174_400;
/** The emulator answers within milliseconds while its guest is stuck, so that silence means that it is stuck itself. */
export const CALL_MS_MAX = 5_000;

type Answer<T> = (error: ServiceError | null, value: T) => void;
type Unary<In, Out> = (message: In, metadata: Metadata, options: CallOptions, answer: Answer<Out>) => ClientUnaryCall;

interface Stub {
  getStatus: Unary<object, EmulatorStatus>;
  sendTouch: Unary<{ touches: readonly Touch[] }, object>;
  sendKey: Unary<KeyboardEvent, object>;
  setPhysicalModel: Unary<object, object>;
  setVmState: Unary<object, object>;
  setClipboard: Unary<ClipData, object>;
  getClipboard: Unary<object, ClipData>;
  setGps: Unary<GpsState, object>;
  getGps: Unary<object, GpsState>;
  getScreenshot: Unary<ImageFormat, Image>;
  streamScreenshot(format: ImageFormat, metadata: Metadata): ClientReadableStream<Image>;
  streamClipboard(nothing: object, metadata: Metadata): ClientReadableStream<ClipData>;
  streamInputEvent(metadata: Metadata, answer: Answer<object>): ClientWritableStream<InputEvent>;
  close(): void;
}

type StubClass = new (address: string, how: ReturnType<typeof credentials.createInsecure>, options: object) => Stub;

let stubClass: StubClass | undefined;

/** The layout is read with the first emulator. */
function loadStub(): StubClass {
  if (stubClass) return stubClass;
  const file = fileURLToPath(new URL('./emulator-control.proto', import.meta.url));
  const loaded = loadPackageDefinition(loadSync(file, { keepCase: true, longs: Number, defaults: true }));
  const { android } = loaded as unknown as {
    android: { emulation: { control: { EmulatorController: StubClass } } };
  };
  stubClass = android.emulation.control.EmulatorController;
  return stubClass;
}

export type ScreenCall = Pick<ClientReadableStream<Image>, 'on' | 'cancel'>;
export type ClipboardCall = Pick<ClientReadableStream<ClipData>, 'on' | 'cancel'>;
export type InputCall = Pick<ClientDuplexStream<InputEvent, object>, 'write' | 'end' | 'cancel'>;

/** The control service of one emulator on this host. Every call has its deadline; failures are `DeviceFault`s. */
export class ControlClient {
  readonly #stub: Stub;
  readonly #access: ControlAccess;
  #authorization: string | undefined;
  #metadata = new Metadata();

  /** @param access closed with the client */
  constructor(port: number, access: ControlAccess) {
    this.#access = access;
    this.#stub = new (loadStub())(`127.0.0.1:${port}`, credentials.createInsecure(), {
      'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
      // A proxy of the environment is for the outside.
      'grpc.enable_http_proxy': 0,
      // Channels with equal options share one connection, which then outlives the emulator that it went to.
      'grpc.use_local_subchannel_pool': 1,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1_000,
    });
  }

  status(): Promise<EmulatorStatus> {
    return this.#call('getStatus', {});
  }

  async touch(touches: readonly Touch[]): Promise<void> {
    await this.#call('sendTouch', { touches });
  }

  async key(event: KeyboardEvent): Promise<void> {
    await this.#call('sendKey', event);
  }

  async setPhysicalModel(target: number, data: readonly number[]): Promise<void> {
    await this.#call('setPhysicalModel', { target, value: { data } });
  }

  async setClipboard(text: string): Promise<void> {
    await this.#call('setClipboard', { text });
  }

  /** The text that the clipboard holds, as far as the guest has told it. */
  async clipboard(): Promise<string> {
    return (await this.#call<object, ClipData>('getClipboard', {})).text;
  }

  async setGps(state: GpsState): Promise<void> {
    await this.#call('setGps', state);
  }

  /** What was set last. */
  gps(): Promise<GpsState> {
    return this.#call('getGps', {});
  }

  screenshot(format: ImageFormat): Promise<Image> {
    return this.#call('getScreenshot', format);
  }

  streamScreenshot(format: ImageFormat): ScreenCall {
    return this.#stub.streamScreenshot(format, this.#who());
  }

  /** The text that the clipboard holds, and each one that it holds later. */
  streamClipboard(): ClipboardCall {
    return this.#stub.streamClipboard({}, this.#who());
  }

  /** @param ended called when the emulator has ended the call; without an error only if it was ended here */
  streamInput(ended: (error: ServiceError | null) => void): InputCall {
    return this.#stub.streamInputEvent(this.#who(), (error) => ended(error)) as unknown as InputCall;
  }

  close(): void {
    this.#stub.close();
    this.#access.close();
  }

  #who(): Metadata {
    const authorization = this.#access.authorization();
    if (authorization !== undefined && authorization !== this.#authorization) {
      // Calls that are under way keep theirs.
      this.#metadata = new Metadata();
      this.#metadata.set('authorization', authorization);
      this.#authorization = authorization;
    }
    return this.#metadata;
  }

  #call<In, Out>(name: keyof Stub, message: In): Promise<Out> {
    const call = this.#stub[name] as Unary<In, Out>;
    return new Promise((resolve, reject) => {
      call.call(this.#stub, message, this.#who(), { deadline: Date.now() + CALL_MS_MAX }, (error, value) => {
        if (error) reject(toFault(error));
        else resolve(value);
      });
    });
  }
}

const KIND_OF_STATUS: Readonly<Partial<Record<status, DeviceFaultKind>>> = {
  [status.UNIMPLEMENTED]: 'unsupported',
  [status.INVALID_ARGUMENT]: 'failed',
  [status.FAILED_PRECONDITION]: 'failed',
  [status.INTERNAL]: 'nonsense',
  [status.RESOURCE_EXHAUSTED]: 'nonsense',
};

/** Converts a failed call of the control service to a `DeviceFault`. */
export function toFault(error: ServiceError): DeviceFault {
  const kind = KIND_OF_STATUS[error.code] ?? 'unavailable';
  return new DeviceFault(kind, `The emulator's control service: ${plainLine(error.details || error.message)}`);
}

export const isUnimplemented = (error: ServiceError): boolean => error.code === status.UNIMPLEMENTED;
