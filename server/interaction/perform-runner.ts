import { ACTIONS, type InteractionRequest, type Point } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import type { InstallableApp } from '../device/app-package.ts';
import type { CallObserver } from '../link/host-link.ts';
import type { TouchPlace } from '../link/messages.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import { failedWith, INTERACTION_ENDINGS } from './ending.ts';
import type { Observations } from './observations.ts';
import type { Request, RequestSpec, Runner } from './request.ts';

/** Called before an input leaves for the device, with the place that it touches first, if it does. */
export type OnTouch = (request: Request, place: TouchPlace | undefined) => void;

/**
 * Reads an uploaded app and holds it for the session until its end. Throws `asset_not_found`, and `invalid_interaction` for an app of
 * the other platform or one too many; rejects with the same where the app has to be fetched first.
 */
export type ClaimApp = (assetId: string) => InstallableApp | Promise<InstallableApp>;

/** Runs the interactions of one session that are one message and one answer. One runner serves all of them. */
class PerformRunner implements Runner {
  readonly #device: RemoteDevice;
  readonly #nextInputSeq: () => number;
  readonly #onTouch: OnTouch;

  constructor(device: RemoteDevice, nextInputSeq: () => number, onTouch: OnTouch) {
    this.#device = device;
    this.#nextInputSeq = nextInputSeq;
    this.#onTouch = onTouch;
  }

  start(request: Request): void {
    const body = request.spec.body as InteractionRequest;
    if (!request.spec.isRead) this.#onTouch(request, beginOf(body));
    const inputSeq = this.#nextInputSeq();
    const receiver = body.action === 'gesture' ? withSteps(request, inputSeq) : request;
    request.call = this.#device.perform(body, inputSeq, receiver, (request.spec as PerformSpec).app);
    request.tellDispatched(inputSeq);
  }

  stop(request: Request): void {
    if (request.call !== 0) this.#device.cancel(request.call);
  }
}

/** Runs those whose effect is observed: each by itself, so that what is seen is its own. */
class ObservedRunner implements Runner {
  readonly #device: RemoteDevice;
  readonly #nextInputSeq: () => number;
  readonly #onTouch: OnTouch;
  readonly #observations: Observations;

  constructor(device: RemoteDevice, nextInputSeq: () => number, onTouch: OnTouch, observations: Observations) {
    this.#device = device;
    this.#nextInputSeq = nextInputSeq;
    this.#onTouch = onTouch;
    this.#observations = observations;
  }

  start(request: Request): void {
    const body = request.spec.body as InteractionRequest;
    this.#onTouch(request, beginOf(body));
    const inputSeq = this.#nextInputSeq();
    const receiver: CallObserver<'performObserved'> = {
      requestId: request.requestId,
      answered: (result) => {
        // Asked for before the next input leaves, which ends it.
        const observing = this.#observations.begin(request, inputSeq);
        request.finish({ status: 'completed', ...(result && { result }), observing });
      },
      failed: (fault) => request.failed(fault),
      ...(body.action === 'gesture' && { steps: (steps: number) => request.tellDispatched(inputSeq, steps) }),
    };
    request.call = this.#device.performObserved(body, inputSeq, receiver, (request.spec as PerformSpec).app);
    request.tellDispatched(inputSeq);
  }

  stop(request: Request): void {
    if (request.call !== 0) this.#device.cancel(request.call);
  }
}

/** Runs an installation whose app is fetched meanwhile: from its acceptance on, so that it may be there when its turn comes. */
class FetchingRunner implements Runner {
  readonly #app: Promise<InstallableApp>;
  readonly #spec: PerformSpec;
  readonly #runner: Runner;
  #isStarted = false;

  constructor(app: Promise<InstallableApp>, spec: PerformSpec, runner: Runner) {
    this.#app = app;
    this.#spec = spec;
    this.#runner = runner;
    // Its turn may never come.
    app.catch(() => undefined);
  }

  start(request: Request): void {
    this.#app.then(
      (app) => {
        if (request.state === 'ended') return;
        this.#spec.app = app;
        this.#isStarted = true;
        this.#runner.start(request);
      },
      (error: unknown) => request.finish(failedWith(error)),
    );
  }

  stop(request: Request): void {
    if (this.#isStarted) this.#runner.stop(request);
    else if (request.requestedEnding) request.finish(request.requestedEnding);
  }
}

const MIDDLE: Point = { x: 0.5, y: 0.5 };

/** Where an interaction touches the screen first, if it does. */
function beginOf(body: InteractionRequest): TouchPlace | undefined {
  if ('target' in body) return body.target;
  if (body.action === 'tap') return body;
  if (body.action === 'swipe') return body.from;
  if (body.action === 'gesture') return body.steps[0]?.points[0];
  if (body.action !== 'scroll') return undefined;
  const { x, y } = body;
  return x === undefined || y === undefined ? MIDDLE : { x, y };
}

/** Steps are reported only if an observer wants them. */
function withSteps(request: Request, inputSeq: number): CallObserver<'perform'> {
  return {
    answered: (result) => request.answered(result),
    failed: (fault) => request.failed(fault),
    steps: (steps) => request.tellDispatched(inputSeq, steps),
  };
}

/** The interactions of one session, each with the runner that it needs. */
export class Performing {
  readonly #plain: Runner;
  readonly #observed: Runner;
  readonly #claimApp: ClaimApp | undefined;

  /**
   * @param nextInputSeq numbers an input as it leaves for the device
   * @param claimApp absent where nothing can be installed
   */
  constructor(
    device: RemoteDevice,
    nextInputSeq: () => number,
    onTouch: OnTouch,
    observations: Observations,
    claimApp?: ClaimApp,
  ) {
    this.#claimApp = claimApp;
    this.#plain = new PerformRunner(device, nextInputSeq, onTouch);
    this.#observed = new ObservedRunner(device, nextInputSeq, onTouch, observations);
  }

  specOf(request: InteractionRequest): RequestSpec {
    return new PerformSpec(request, request.observe ? this.#observed : this.#plain, this.#claimApp);
  }
}

/** One of them with its place in the queue. */
export class PerformSpec implements RequestSpec {
  readonly body: InteractionRequest;
  readonly #runner: Runner;
  readonly #claimApp: ClaimApp | undefined;
  /** Of an installation, once it is accepted. */
  app: InstallableApp | undefined;

  constructor(body: InteractionRequest, runner: Runner, claimApp?: ClaimApp) {
    this.body = body;
    this.#runner = runner;
    this.#claimApp = claimApp;
  }

  get requestId(): string {
    return this.body.requestId;
  }

  get action(): string {
    return this.body.action;
  }

  get timeoutMs(): number {
    return this.body.timeoutMs;
  }

  get endings(): typeof INTERACTION_ENDINGS {
    return INTERACTION_ENDINGS;
  }

  get brief(): boolean {
    return ACTIONS[this.body.action].brief && this.body.observe !== true;
  }

  get isRead(): boolean {
    return ACTIONS[this.body.action].reads;
  }

  get isForgotten(): boolean {
    return ACTIONS[this.body.action].reads;
  }

  createRunner(): Runner {
    if (this.body.action === 'installApp') {
      if (!this.#claimApp) throw new ServiceError('unsupported_action');
      const app = this.#claimApp(this.body.asset);
      if (app instanceof Promise) return new FetchingRunner(app, this, this.#runner);
      this.app = app;
    }
    return this.#runner;
  }
}
