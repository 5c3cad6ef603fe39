import type { InteractionRequest } from '@runcloud/protocol';
import {
  ACTION_NAMES,
  type Button,
  CAPABILITIES,
  LIMITS,
  LOCK_KEYS,
  type Orientation,
  type Platform,
  type RenderOption,
} from '@runcloud/protocol/terms';

/**
 * The actions that one device can carry out: at most those of its platform (specification, section 2.8), and fewer
 * where its driver has no reliable way. Plain data: it crosses the link with the device's description.
 */
export interface DeviceCapabilities {
  readonly actions: readonly InteractionRequest['action'][];
  readonly orientations: readonly Orientation[];
  readonly buttons: readonly Button[];
  readonly renderOptions: readonly RenderOption[];
  readonly lockKeys: boolean;
  /** True when a key or a button can be held; otherwise only the shortest press is possible. */
  readonly holds: boolean;
  /** Keys can be pressed together with modifiers. */
  readonly modifiers: boolean;
  /** How many fingers can touch at the same time. */
  readonly fingers: 1 | 2;
  /** A finger can follow points that are not known ahead: gestures of several steps and live pointers. */
  readonly freeGestures: boolean;
  readonly openUrl: boolean;
}

/** Everything that a platform offers. */
export function platformCapabilities(platform: Platform): DeviceCapabilities {
  const { orientations, buttons, renderOptions, lockKeys, digitalCrown } = CAPABILITIES[platform];
  const missing = new Set<string>();
  if (!digitalCrown) missing.add('rotateDigitalCrown');
  if (renderOptions.length === 0) missing.add('setRenderDebug');
  return {
    actions: ACTION_NAMES.filter((action) => !missing.has(action)),
    orientations,
    buttons,
    renderOptions,
    lockKeys,
    holds: true,
    modifiers: true,
    fingers: 2,
    freeGestures: true,
    openUrl: true,
  };
}

/**
 * Why this device cannot carry out a request that its platform allows, as a sentence that names what is not supported;
 * `undefined` when it can.
 */
export function unsupportedByDevice(request: InteractionRequest, can: DeviceCapabilities): string | undefined {
  const { action } = request;
  if (!can.actions.includes(action)) return `"${action}" is not supported by this device.`;
  switch (action) {
    case 'gesture':
      return unsupportedTouch(request.steps[0]?.points.length ?? 1, can);
    case 'rotate':
      if (can.orientations.includes(request.orientation)) return undefined;
      return `"rotate" to "${request.orientation}" is not supported by this device; supported orientations: ${can.orientations.join(', ')}.`;
    case 'pressButton':
      if (can.buttons.includes(request.button)) return unsupportedHold(request, can);
      return `"pressButton" of "${request.button}" is not supported by this device; supported buttons: ${can.buttons.join(', ')}.`;
    case 'pressKey':
      if (!can.lockKeys && LOCK_KEYS.includes(request.key)) {
        return `"pressKey" of "${request.key}" is not supported by this device.`;
      }
      if (can.modifiers || request.modifiers.length === 0) return unsupportedHold(request, can);
      return '"pressKey" with modifiers is not supported by this device.';
    case 'setRenderDebug':
      if (can.renderOptions.includes(request.option)) return undefined;
      return `"setRenderDebug" of "${request.option}" is not supported by this device.`;
    default:
      return undefined;
  }
}

/** A hold of the default length is as short as the device makes it. */
function unsupportedHold(
  { action, durationMs }: { readonly action: string; readonly durationMs: number },
  can: DeviceCapabilities,
): string | undefined {
  if (can.holds || durationMs === LIMITS.holdDurationMs.default) return undefined;
  return `"${action}" with a "durationMs" is not supported by this device.`;
}

/** Why fingers cannot move freely on this device; `undefined` when they can. */
export function unsupportedTouch(fingers: number, can: DeviceCapabilities): string | undefined {
  if (!can.freeGestures) return 'Gestures of several steps are not supported by this device; "tap" and "swipe" are.';
  if (fingers > can.fingers) return 'Gestures of two fingers are not supported by this device.';
  return undefined;
}
