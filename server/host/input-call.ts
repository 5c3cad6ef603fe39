import type { InstallableApp } from '../device/app-package.ts';
import type { InputContext } from '../device/driver.ts';
import type { LazyAbort } from '../link/lazy-abort.ts';

/** The context of one input. Its abort signal is created when the device first reads it. */
export class InputCall implements InputContext {
  readonly inputSeq: number;
  readonly onStep?: (steps: number) => void;
  readonly app?: InstallableApp;
  readonly #abort: LazyAbort;

  constructor(inputSeq: number, abort: LazyAbort, onStep?: (steps: number) => void, app?: InstallableApp) {
    this.inputSeq = inputSeq;
    this.#abort = abort;
    if (onStep) this.onStep = onStep;
    if (app) this.app = app;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }
}
