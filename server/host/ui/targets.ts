import type { ActionFields, ActionName, DeviceCapabilities, Target, UiNode } from '@runcloud/protocol';
import { middleOf } from '@runcloud/protocol/terms';
import type { Device, InputContext, InputResult } from '../../device/driver.ts';
import { DeviceFault, TargetFault } from '../../device/fault.ts';
import { type Clock, systemClock } from '../../flow/clock.ts';
import { poll } from '../../flow/poll.ts';
import { findTarget, named, sentenceOf } from './find-target.ts';
import { ScrollTo } from './scroll-to.ts';
import type { UiFrames, UiReading } from './ui-frames.ts';

/** Between two looks at a screen that has not what is waited for. */
const LOOK_MS = 25;
/** A field shows its caret in the next pictures; a real device slides its keyboard in. */
const FOCUS_MS_MAX = 1_000;

type Request<Name extends ActionFields['action']> = Extract<ActionFields, { action: Name }>;
/** An action whose place is an element. */
export type TargetRequest =
  | Request<'tapElement' | 'scrollTo'>
  | (Request<'typeText' | 'insertText'> & { readonly target: Target });

export const hasTarget = (request: ActionFields): request is TargetRequest =>
  'target' in request && request.target !== undefined;

/** What comes with an action on a device that tells of its elements. */
const WITH_ELEMENTS: Partial<Readonly<Record<ActionName, ActionName>>> = { tap: 'tapElement', scroll: 'scrollTo' };

/** Whatever tells of its elements and takes taps can be asked to tap one, and likewise to scroll to one. */
export function withTargets(capabilities: DeviceCapabilities): DeviceCapabilities {
  const { ui, actions } = capabilities;
  if (!ui) return capabilities;
  return { ...capabilities, actions: actions.flatMap((name) => [name, WITH_ELEMENTS[name] ?? []].flat()) };
}

/** An element with the frame that it was seen in. */
interface Seen {
  readonly node: UiNode;
  readonly frame: number;
}

/** Performs actions on elements of one device's screen, each found in the turn of its input. */
export class Targets {
  readonly #device: Pick<Device, 'perform'>;
  readonly #frames: UiFrames;
  readonly #clock: Clock;
  readonly #scrolling: ScrollTo;

  constructor(device: Pick<Device, 'perform'>, frames: UiFrames, clock: Clock = systemClock) {
    this.#scrolling = new ScrollTo(device, frames, clock);
    this.#device = device;
    this.#frames = frames;
    this.#clock = clock;
  }

  /**
   * Waits for exactly one element that can be used, and performs the action on it. Rejects with a `DeviceFault`; nothing has reached
   * the device then, unless the element did not take the focus.
   */
  async perform(request: TargetRequest, context: InputContext): Promise<InputResult> {
    if (request.action === 'scrollTo') return this.#scrolling.perform(request, context);
    if (request.action === 'tapElement') {
      const { node, frame } = await this.#find(request, context.signal);
      const at = middleOf(node.frame);
      return { ...(await this.#tap(at, context)), ...at, frame };
    }
    const { target, waitMs: _wait, ...typing } = request;
    const { node, frame } = await this.#find(request, context.signal, 'type');
    const at = middleOf(node.frame);
    if (!node.focused) {
      await this.#tap(at, context);
      await this.#focused(node, context.signal);
    }
    this.#frames.expire();
    return { ...(await this.#device.perform(typing, context)), ...at, frame };
  }

  /** Waits for the element of a request, where it is waited for, without using it; rejects as `perform` does. */
  async found(request: TargetRequest, signal: AbortSignal): Promise<void> {
    if (request.action === 'scrollTo') return;
    await this.#find(request, signal, request.action === 'tapElement' ? undefined : 'type');
  }

  #tap(at: { readonly x: number; readonly y: number }, context: InputContext): Promise<InputResult> {
    this.#frames.expire();
    return this.#device.perform({ action: 'tap', ...at }, context);
  }

  async #find(
    { target, waitMs = 0 }: Exclude<TargetRequest, Request<'scrollTo'>>,
    signal: AbortSignal,
    action?: 'type',
  ): Promise<Seen> {
    const { ref, frame } = target;
    if (ref !== undefined && frame !== undefined) return this.#byRef(ref, frame, signal, action);
    const look = async (): Promise<Seen | TargetFault> => {
      const reading = await this.#frames.read(signal);
      return seenBy(reading, target, action);
    };
    const seen = await poll(this.#clock, { everyMs: LOOK_MS, forMs: waitMs, signal }, look, isSeen);
    if (isSeen(seen)) return seen;
    throw seen;
  }

  async #byRef(ref: string, frame: number, signal: AbortSignal, action?: 'type'): Promise<Seen> {
    const { newest, frame: inForce } = this.#frames.inForce;
    if (frame > newest) throw new TargetFault('notIssued', `There was no frame ${frame} yet.`);
    if (frame < newest) {
      throw new TargetFault('otherFrame', `${ref} is of frame ${frame}; the newest one is ${newest}.`);
    }
    if (inForce === undefined) throw new TargetFault('expired', `There was an input after frame ${frame}.`);
    const reading = await this.#frames.read(signal);
    if (reading.frame !== frame) {
      const sentence = `${ref} is of frame ${frame}; the screen has changed since, and is frame ${reading.frame} now.`;
      throw new TargetFault('otherFrame', sentence);
    }
    const node = withRef(reading.nodes, ref);
    if (!node) throw new TargetFault('notIssued', `Frame ${frame} has no ${ref}.`);
    if (action !== undefined && !node.actions?.includes(action)) {
      throw new TargetFault('absent', `Nothing can be typed into ${named(node)} of frame ${frame}.`);
    }
    if (node.disabled) throw disabledFault(node, frame);
    return { node, frame };
  }

  /** Waits until a field has the focus, where the device tells of it. */
  async #focused(node: UiNode, signal: AbortSignal): Promise<void> {
    const look = async (): Promise<boolean> => {
      const { nodes, screen } = await this.#frames.read(signal);
      return screen.missing?.includes('focused') || isFocused(nodes);
    };
    if (await poll(this.#clock, { everyMs: LOOK_MS, forMs: FOCUS_MS_MAX, signal }, look)) return;
    throw new DeviceFault('failed', `The ${named(node)} was tapped and did not take the focus; nothing was typed.`);
  }
}

const isSeen = (seen: Seen | TargetFault): seen is Seen => !(seen instanceof TargetFault);

function seenBy({ nodes, frame, screen }: UiReading, target: Target, action: 'type' | undefined): Seen | TargetFault {
  if (screen.screen === 'off') return new TargetFault('absent', 'The screen is off.');
  const found = findTarget(nodes, target, action);
  if (found.kind !== 'one') {
    return new TargetFault(found.kind === 'none' ? 'absent' : 'several', sentenceOf(found, target, frame));
  }
  return found.node.disabled ? disabledFault(found.node, frame) : { node: found.node, frame };
}

const disabledFault = (node: UiNode, frame: number): TargetFault =>
  new TargetFault('disabled', `The ${named(node)} of frame ${frame} cannot be used now.`);

function withRef(nodes: readonly UiNode[], ref: string): UiNode | undefined {
  for (const node of nodes) {
    const found = node.ref === ref ? node : withRef(node.children ?? [], ref);
    if (found) return found;
  }
  return undefined;
}

const isFocused = (nodes: readonly UiNode[]): boolean =>
  nodes.some(({ focused, children = [] }) => focused || isFocused(children));
