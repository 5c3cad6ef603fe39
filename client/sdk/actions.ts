import type { Action, InteractionRequest } from './interactions.ts';
import type { Acknowledgement, Button, GestureStep, Key, Modifier, Orientation, Point, RenderOption } from './types.ts';

export interface CallOptions {
  /** Ends the wait, with its reason; what was accepted already goes on. */
  readonly signal?: AbortSignal | undefined;
}

export interface ActionOptions extends CallOptions {
  /** Milliseconds from acceptance to the acknowledgement, 100 to 60,000; 15,000 where absent. */
  readonly timeoutMs?: number | undefined;
  /** Correlation id; the same id again never has a second effect. Made up where it is absent. */
  readonly requestId?: string | undefined;
}

export interface HeldOptions extends ActionOptions {
  /** Milliseconds. */
  readonly durationMs?: number | undefined;
}

export interface KeyOptions extends HeldOptions {
  readonly modifiers?: readonly Modifier[] | undefined;
}

export interface ScrollOptions extends ActionOptions {
  /** Where to scroll; the middle of the display where absent. */
  readonly at?: Point | undefined;
}

type Answer = Promise<Acknowledgement>;

/** Every action of the contract by its name (specification, section 4.3). Coordinates are shares of the display. */
export abstract class SessionActions {
  /**
   * Carries out one interaction and resolves once the device took it. Rejects with `TypeError` or `RangeError` for an
   * argument that the contract refuses, before anything is sent; with `RunCloudError` for every other failure.
   */
  abstract interact(request: InteractionRequest, options?: CallOptions): Answer;

  tap(x: number, y: number, options?: ActionOptions): Answer {
    return this.#act({ action: 'tap', x, y }, options);
  }

  /** A finger that moves from one point to another in 300 ms, or in `durationMs` of 50 to 30,000. */
  swipe(from: Point, to: Point, { durationMs, ...options }: HeldOptions = {}): Answer {
    return this.#act({ action: 'swipe', from, to, durationMs }, options);
  }

  gesture(steps: readonly GestureStep[], options?: ActionOptions): Answer {
    return this.#act({ action: 'gesture', steps }, options);
  }

  /** 1 to 10,000 printable US ASCII characters, tabs and line feeds. */
  typeText(text: string, options?: ActionOptions): Answer {
    return this.#act({ action: 'typeText', text }, options);
  }

  pressKey(key: Key, { modifiers, durationMs, ...options }: KeyOptions = {}): Answer {
    return this.#act({ action: 'pressKey', key, modifiers, durationMs }, options);
  }

  pressButton(button: Button, { durationMs, ...options }: HeldOptions = {}): Answer {
    return this.#act({ action: 'pressButton', button, durationMs }, options);
  }

  rotate(orientation: Orientation, options?: ActionOptions): Answer {
    return this.#act({ action: 'rotate', orientation }, options);
  }

  /** The same as `rotate`. */
  setOrientation(orientation: Orientation, options?: ActionOptions): Answer {
    return this.rotate(orientation, options);
  }

  /** Restarts the foreground app. */
  reload(options?: ActionOptions): Answer {
    return this.#act({ action: 'reload' }, options);
  }

  /** The same as `reload`. */
  reloadApp(options?: ActionOptions): Answer {
    return this.reload(options);
  }

  /** Deltas are shares of the viewport, from -1 to 1; positive ones bring what comes later. */
  scroll(deltaX: number, deltaY: number, { at, ...options }: ScrollOptions = {}): Answer {
    return this.#act({ action: 'scroll', deltaX, deltaY, x: at?.x, y: at?.y }, options);
  }

  toggleSoftwareKeyboard(options?: ActionOptions): Answer {
    return this.#act({ action: 'toggleSoftwareKeyboard' }, options);
  }

  simulateMemoryWarning(options?: ActionOptions): Answer {
    return this.#act({ action: 'simulateMemoryWarning' }, options);
  }

  /** Part of the vocabulary; phones answer it with `unsupported_action`. */
  rotateDigitalCrown(delta: number, options?: ActionOptions): Answer {
    return this.#act({ action: 'rotateDigitalCrown', delta }, options);
  }

  /** iOS only. */
  setRenderDebug(option: RenderOption, enabled: boolean, options?: ActionOptions): Answer {
    return this.#act({ action: 'setRenderDebug', option, enabled }, options);
  }

  #act(request: Action, { signal, timeoutMs, requestId }: ActionOptions = {}): Answer {
    return this.interact({ ...request, timeoutMs, requestId }, { signal });
  }
}
