import type { Button, Key, Modifier, Orientation, Point, RenderOption } from '../sdk/types.ts';
import type { InteractionRequest, InteractionResult } from './messages.ts';

export interface InteractOptions {
  /** Ends the wait, with its reason; what the device did already cannot be undone. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the device; this page waits a little longer. */
  readonly timeoutMs?: number;
}

export interface GestureStep {
  readonly phase: 'begin' | 'move' | 'end';
  /** One or two fingers, as many in each step. */
  readonly points: readonly Point[];
  readonly delayMs?: number;
}

type Held = InteractOptions & { readonly durationMs?: number };
type Result = Promise<InteractionResult>;

/** Every action of the contract by its name. Coordinates are shares of the display, from 0 to 1. */
export abstract class SimulatorActions {
  /** Carries out one interaction. Rejects only for the signal's sake: a failure is a result. */
  abstract interact(request: InteractionRequest, options?: InteractOptions): Result;

  /** Ends a request that runs, as far as it can be ended; its own result tells. */
  abstract cancel(requestId: string): void;

  tap(x: number, y: number, options?: InteractOptions): Result {
    return this.interact({ action: 'tap', x, y }, options);
  }

  swipe(from: Point, to: Point, { durationMs, ...options }: Held = {}): Result {
    return this.interact({ action: 'swipe', from, to, durationMs }, options);
  }

  gesture(steps: readonly GestureStep[], options?: InteractOptions): Result {
    return this.interact({ action: 'gesture', steps }, options);
  }

  typeText(text: string, options?: InteractOptions): Result {
    return this.interact({ action: 'typeText', text }, options);
  }

  pressKey(
    key: Key,
    { modifiers, durationMs, ...options }: Held & { readonly modifiers?: readonly Modifier[] } = {},
  ): Result {
    return this.interact({ action: 'pressKey', key, modifiers, durationMs }, options);
  }

  pressButton(button: Button, { durationMs, ...options }: Held = {}): Result {
    return this.interact({ action: 'pressButton', button, durationMs }, options);
  }

  rotate(orientation: Orientation, options?: InteractOptions): Result {
    return this.interact({ action: 'rotate', orientation }, options);
  }

  /** The same as `rotate`. */
  setOrientation(orientation: Orientation, options?: InteractOptions): Result {
    return this.rotate(orientation, options);
  }

  /** Restarts the foreground app. */
  reload(options?: InteractOptions): Result {
    return this.interact({ action: 'reload' }, options);
  }

  /** The same as `reload`. */
  reloadApp(options?: InteractOptions): Result {
    return this.reload(options);
  }

  scroll(deltaX: number, deltaY: number, { at, ...options }: InteractOptions & { readonly at?: Point } = {}): Result {
    return this.interact({ action: 'scroll', deltaX, deltaY, x: at?.x, y: at?.y }, options);
  }

  toggleSoftwareKeyboard(options?: InteractOptions): Result {
    return this.interact({ action: 'toggleSoftwareKeyboard' }, options);
  }

  simulateMemoryWarning(options?: InteractOptions): Result {
    return this.interact({ action: 'simulateMemoryWarning' }, options);
  }

  /** Part of the vocabulary; answered with `unsupported_action` on phones. */
  rotateDigitalCrown(delta: number, options?: InteractOptions): Result {
    return this.interact({ action: 'rotateDigitalCrown', delta }, options);
  }

  setRenderDebug(option: RenderOption, enabled: boolean, options?: InteractOptions): Result {
    return this.interact({ action: 'setRenderDebug', option, enabled }, options);
  }
}
