import {
  ACTION_NAMES,
  type DeviceCapabilities,
  type InteractionRequest,
  platformCapabilities,
} from '@runcloud/protocol';
import { BUTTONS, type Orientation, RENDER_OPTIONS } from '@runcloud/protocol/terms';
import type {
  Device,
  DeviceClipboard,
  DeviceDescriptor,
  InputContext,
  InputResult,
  OpenedUrl,
  Picture,
  Point,
  PointerPhase,
} from '../../server/device/driver.ts';
import { DeviceFault } from '../../server/device/fault.ts';

export const DESCRIPTOR: DeviceDescriptor = {
  model: 'Scripted Phone',
  osVersion: '1.0',
  width: 4,
  height: 6,
  scale: 1,
  driver: 'scripted',
};

/** A call that the device has got and not yet answered. */
export class OpenCall<T> {
  readonly answered: Promise<T>;
  readonly answer: (value: T) => void;
  readonly fail: (error: unknown) => void;
  open = true;

  constructor() {
    const { promise, resolve, reject } = deferred<T>();
    this.answered = promise;
    this.answer = (value) => {
      this.open = false;
      resolve(value);
    };
    this.fail = (error) => {
      this.open = false;
      reject(error);
    };
  }
}

export class PerformCall extends OpenCall<InputResult> {
  readonly request: InteractionRequest;
  readonly context: InputContext;

  constructor(request: InteractionRequest, context: InputContext) {
    super();
    this.request = request;
    this.context = context;
  }
}

export class OpenUrlCall extends OpenCall<OpenedUrl> {
  readonly url: string;
  readonly context: Pick<InputContext, 'inputSeq' | 'signal'>;

  constructor(url: string, context: Pick<InputContext, 'inputSeq' | 'signal'>) {
    super();
    this.url = url;
    this.context = context;
  }
}

export class PointerCall extends OpenCall<void> {
  readonly phase: PointerPhase;
  readonly points: readonly Point[];
  readonly inputSeq: number;

  constructor(phase: PointerPhase, points: readonly Point[], inputSeq: number) {
    super();
    this.phase = phase;
    this.points = points;
    this.inputSeq = inputSeq;
  }
}

/**
 * A device that does what the test says: it keeps every call, and answers at once while `patient` is off. A call that is
 * ended gets an `aborted` fault unless the device is `stubborn`.
 */
export class ScriptedDevice implements Device {
  readonly descriptor: DeviceDescriptor = DESCRIPTOR;
  /** Everything that any platform has; replaced by tests of devices that can do less. */
  capabilities: DeviceCapabilities = {
    ...platformCapabilities('android'),
    actions: ACTION_NAMES,
    buttons: BUTTONS,
    renderOptions: RENDER_OPTIONS,
    lockKeys: true,
  };
  readonly orientation: Orientation = 'portrait';
  /** Calls wait for the test's answer. */
  patient = false;
  /** Ended calls are not answered. */
  stubborn = false;
  readonly performed: PerformCall[] = [];
  readonly pointed: PointerCall[] = [];
  readonly openedUrls: OpenUrlCall[] = [];
  readonly clipboardCalls: OpenCall<void>[] = [];
  /** What the clipboard holds. */
  held = '';
  readonly clipboard: DeviceClipboard = {
    read: async (signal) => {
      await this.#useClipboard('read', signal);
      return this.held;
    },
    write: async (text, signal) => {
      await this.#useClipboard(`write ${text}`, signal);
      this.held = text;
    },
    onChange: (listener) => {
      this.copied = listener;
    },
  };
  /** Tells that the clipboard holds another text. */
  copied: () => void = () => undefined;
  /**
   * Everything that reached the device, in order: request ids, `@` and the start of live gestures, URLs, and `read` and `write` of the
   * clipboard.
   */
  readonly arrivals: string[] = [];
  /** `releaseAll`, `close`, in their order. */
  readonly housekeeping: string[] = [];
  picture: Picture = solidPicture(0, 0);
  #tellLost: (reason: string) => void = () => undefined;
  #tellOrientation: (orientation: Orientation) => void = () => undefined;
  #tellChange: () => void = () => undefined;

  /** Absent, unless a test gives it one. */
  tapNow?(at: Point, inputSeq: number): InputResult;

  perform(request: InteractionRequest, context: InputContext): Promise<InputResult> {
    const call = new PerformCall(request, context);
    this.performed.push(call);
    this.arrivals.push(request.requestId);
    context.signal.addEventListener('abort', () => {
      if (!this.stubborn) call.fail(new DeviceFault('aborted', 'The call was ended.'));
    });
    if (!this.patient) call.answer({ requestId: request.requestId });
    return call.answered;
  }

  pointer(phase: PointerPhase, points: readonly Point[], inputSeq: number): Promise<void> {
    const call = new PointerCall(phase, points, inputSeq);
    this.pointed.push(call);
    if (phase === 'begin') this.arrivals.push(`@${points[0]?.x}`);
    if (!this.patient) call.answer();
    return call.answered;
  }

  openUrl(url: string, context: Pick<InputContext, 'inputSeq' | 'signal'>): Promise<OpenedUrl> {
    const call = new OpenUrlCall(url, context);
    this.openedUrls.push(call);
    this.arrivals.push(url);
    context.signal.addEventListener('abort', () => {
      if (!this.stubborn) call.fail(new DeviceFault('aborted', 'The call was ended.'));
    });
    if (!this.patient) call.answer({ handler: 'app' });
    return call.answered;
  }

  #useClipboard(what: string, signal: AbortSignal): Promise<void> {
    const call = new OpenCall<void>();
    this.clipboardCalls.push(call);
    this.arrivals.push(what);
    signal.addEventListener('abort', () => {
      if (!this.stubborn) call.fail(new DeviceFault('aborted', 'The call was ended.'));
    });
    if (!this.patient) call.answer();
    return call.answered;
  }

  async releaseAll(): Promise<void> {
    this.housekeeping.push('releaseAll');
  }

  async capture(): Promise<Picture> {
    return this.picture;
  }

  onChange(listener: () => void): void {
    this.#tellChange = listener;
  }

  onOrientation(listener: (orientation: Orientation) => void): void {
    this.#tellOrientation = listener;
  }

  onLost(listener: (reason: string) => void): void {
    this.#tellLost = listener;
  }

  async close(): Promise<void> {
    this.housekeeping.push('close');
  }

  lose(reason: string): void {
    this.#tellLost(reason);
  }

  /** Shows another picture, and tells so. */
  show(picture: Picture): void {
    this.picture = picture;
    this.#tellChange();
  }

  turn(orientation: Orientation): void {
    this.#tellOrientation(orientation);
  }

  /** The newest call, which must be there. */
  get lastPerform(): PerformCall {
    return last(this.performed);
  }

  get lastOpenUrl(): OpenUrlCall {
    return last(this.openedUrls);
  }

  get lastClipboard(): OpenCall<void> {
    return last(this.clipboardCalls);
  }

  get lastPointer(): PointerCall {
    return last(this.pointed);
  }

  /** The inputs that wait for their answer. */
  get openCalls(): (PerformCall | PointerCall)[] {
    return [...this.performed, ...this.pointed].filter(({ open }) => open);
  }

  /** The request ids in the order in which they reached the device. */
  get order(): string[] {
    return this.performed.map(({ request }) => request.requestId);
  }

  get phases(): PointerPhase[] {
    return this.pointed.map(({ phase }) => phase);
  }
}

/** A picture of one grey. */
export function solidPicture(version: number, grey: number): Picture {
  const { width, height } = DESCRIPTOR;
  const pixels = new Uint8Array(width * height * 4).fill(grey);
  const damage = [{ x: 0, y: 0, width, height }];
  return { pixels, width, height, orientation: 'portrait', version, damage, inputSeq: version };
}

/** A promise and what settles it. */
export function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

export function last<T>(items: readonly T[]): T {
  const item = items.at(-1);
  if (item === undefined) throw new Error('there is none');
  return item;
}
