import { stat, truncate } from 'node:fs/promises';
import type { ActionFields } from '@runcloud/protocol';
import sharp from 'sharp';
import type { Device, DeviceOptions, InputContext, InputResult, Picture, Point } from '../../server/device/driver.ts';
import type { Drivers } from '../../server/host/drivers.ts';

/** Devices that say that all is well, each with one fault that only a look at their screens can tell. */

type Open = (this: Drivers, options: DeviceOptions, signal: AbortSignal) => Promise<Device>;
type Spoil = (device: Device) => Partial<Device>;

const LATE_MS = 2_000;
const LOST_EACH = 100;

/** Whether a device that drops inputs drops the one with this number, here and in the process of its service: one in `FAULTY_EACH`. */
export const isDropped = (inputSeq: number, each = Number(process.env.FAULTY_EACH)): boolean => inputSeq % each === 0;

/** What a person does to a device with hands, and the end of an app. */
const INPUT_ACTIONS: readonly string[] = [
  'tap',
  'swipe',
  'gesture',
  'typeText',
  'insertText',
  'pressKey',
  'pressButton',
  'rotate',
  'scroll',
  'terminateApp',
];

/** The spoiled way for inputs; all else is performed as before. */
const forInputs =
  (device: Device, perform: Device['perform']): Device['perform'] =>
  (request, context) =>
    (INPUT_ACTIONS.includes(request.action) ? perform : device.perform.bind(device))(request, context);

/** The device with another way to perform one action. */
const inPlaceOf =
  (
    action: string,
    perform: (device: Device, ...asked: Parameters<Device['perform']>) => ReturnType<Device['perform']>,
  ) =>
  (device: Device): Partial<Device> => ({
    perform: (request, context) =>
      request.action === action ? perform(device, request, context) : device.perform(request, context),
  });

/** A device's answer to an action that it has performed. */
function answerTo(request: ActionFields): InputResult {
  switch (request.action) {
    case 'tap':
      return { pointCount: 1 };
    case 'swipe':
      return { pointCount: 1, durationMs: request.durationMs };
    case 'gesture':
      return { pointCount: request.steps[0]?.points.length ?? 0, dispatchedSteps: request.steps.length };
    case 'typeText':
    case 'insertText':
      return { characterCount: [...request.text].length };
    case 'pressKey':
      return { key: request.key, modifiers: request.modifiers, durationMs: request.durationMs };
    case 'pressButton':
      return { button: request.button, durationMs: request.durationMs };
    case 'rotate':
      return { orientation: request.orientation };
    case 'scroll':
      return { deltaX: request.deltaX, deltaY: request.deltaY };
    default:
      return undefined;
  }
}

/** The request with each of its points moved. */
function moved(request: ActionFields, move: (at: Point) => Point): ActionFields {
  switch (request.action) {
    case 'tap':
      return { ...request, ...move(request) };
    case 'swipe':
      return { ...request, from: move(request.from), to: move(request.to) };
    case 'gesture':
      return { ...request, steps: request.steps.map((step) => ({ ...step, points: step.points.map(move) })) };
    default:
      return request;
  }
}

const quarterTurn = ({ x, y }: Point): Point => ({ x: y, y: 1 - x });

const copyOf = (picture: Picture): Picture => ({ ...picture, pixels: Uint8Array.from(picture.pixels) });

function losesKeys(device: Device): Partial<Device> {
  let count = 0;
  const isLost = () => ++count % LOST_EACH === 0;
  return {
    async perform(request, context) {
      if (request.action === 'typeText') {
        const text = [...request.text].filter(() => !isLost()).join('');
        await device.perform({ ...request, text }, context);
        return answerTo(request);
      }
      return request.action === 'pressKey' && isLost() ? answerTo(request) : device.perform(request, context);
    },
  };
}

/** Captures are of the beginning, and screenshots are not. */
function showsOldPicture(device: Device): Partial<Device> {
  const first = device.capture().then(copyOf);
  const screenshot = device.screenshot?.bind(device);
  return {
    capture: () => first,
    async screenshot() {
      if (screenshot) return screenshot();
      await device.refresh?.();
      const { pixels, width, height, inputSeq } = await device.capture();
      const png = await sharp(pixels, { raw: { width, height, channels: 4 } })
        .removeAlpha()
        .png()
        .toBuffer();
      return { png: Uint8Array.from(png), width, height, inputSeq };
    },
  };
}

/** What is written lacks its last byte, and is said to be whole. */
function cutsFiles(device: Device): Partial<Device> {
  const { files } = device;
  if (!files) return {};
  return {
    files: {
      list: (place, signal) => files.list(place, signal),
      pull: (place, into, signal) => files.pull(place, into, signal),
      remove: (place, signal) => files.remove(place, signal),
      push: async (place, file, signal) => {
        const { size } = await stat(file);
        await truncate(file, Math.max(0, size - 1));
        return { ...(await files.push(place, file, signal)), byteSize: size };
      },
    },
  };
}

const SPOILS: Readonly<Record<string, Spoil>> = {
  deaf: (device) => ({ perform: forInputs(device, async (request) => answerTo(request)) }),
  late: (device) => ({
    perform: forInputs(device, async (request: ActionFields, { inputSeq }: InputContext) => {
      const { signal } = new AbortController();
      // Its session may have ended by then.
      setTimeout(() => device.perform(request, { inputSeq, signal }).catch(() => undefined), LATE_MS);
      return answerTo(request);
    }),
  }),
  turned: (device) => ({ perform: (request, context) => device.perform(moved(request, quarterTurn), context) }),
  beside: (device) => ({
    async perform(request, context) {
      // Not by a capture of its own, which would take pictures away from those who look.
      const { width, height } = device.descriptor;
      const across = device.orientation.startsWith('landscape') ? height : width;
      const right = ({ x, y }: Point) => ({ x: Math.min(1, x + 1 / across), y });
      return device.perform(moved(request, right), context);
    },
  }),
  'loses keys': losesKeys,
  'drops inputs': (device) => ({
    perform: async (request, context) =>
      isDropped(context.inputSeq) ? answerTo(request) : device.perform(request, context),
  }),
  'old picture': showsOldPicture,
  // It says that it has done what was asked.
  'keeps its settings': inPlaceOf('configureDevice', async (device, request, context) => {
    const told = await device.perform({ action: 'configureDevice' }, context);
    const asked = Object.entries(request).filter(([name]) => name in (told ?? {}));
    return { ...told, ...Object.fromEntries(asked) };
  }),
  'keeps its permissions': inPlaceOf('setPermission', (device, request, context) =>
    device.perform({ ...request, access: 'reset' } as ActionFields, context),
  ),
  'swallows notifications': inPlaceOf('sendPush', async (_device, request) => ({
    app: (request as ActionFields & { app: string }).app,
    shown: true,
    readBack: true,
  })),
  'knows every face': inPlaceOf('authenticateBiometric', (device, request, context) =>
    device.perform({ ...request, match: true } as ActionFields, context),
  ),
  'stands still': inPlaceOf('followRoute', (device, _request, context) =>
    device.perform({ action: 'readLocation' }, context),
  ),
  'loses pictures': () => ({ media: { add: async () => ({ readBack: true }) } }),
  'cuts files': cutsFiles,
  'logs nothing': () => ({ logs: { follow: () => undefined } }),
};

/** The device with some of it replaced; what it may do in another way than by `perform` and `capture` is not there. */
function spoiled(device: Device, spoil: Spoil): Device {
  const replaced: Partial<Device> = { ...spoil(device) };
  const absent = replaced.capture ? ['tapNow', 'encoded'] : ['tapNow'];
  return new Proxy(device, {
    get(target, name) {
      if (absent.includes(String(name))) return undefined;
      if (name in replaced) return replaced[name as keyof Device];
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Wraps what opens devices, so that each has the named fault; `forgets to reset` gives every session the same device. */
export function withFault(fault: string | undefined, open: Open): Open {
  if (fault === 'forgets to reset') {
    let only: Promise<Device> | undefined;
    return async function (...how) {
      only ??= open.apply(this, how);
      return spoiled(await only, () => ({ close: async () => undefined }));
    };
  }
  const spoil = SPOILS[fault ?? ''];
  if (!spoil) throw new Error(`there is no fault ${fault}`);
  return async function (...how) {
    return spoiled(await open.apply(this, how), spoil);
  };
}
