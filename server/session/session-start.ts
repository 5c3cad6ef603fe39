import type { SessionStatus } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import { DeviceFault } from '../device/fault.ts';
import type { RemoteDevice } from '../link/remote-device.ts';

/** Why a session did not start: the status and reason of its record, and the error for its creator. */
export interface StartFailure {
  readonly status: Extract<SessionStatus, 'failed' | 'released'>;
  readonly reason: string;
  readonly refusal: ServiceError;
}

/** The start of a session's device. It can be aborted at any time; a device that arrives later is closed. */
export class SessionStart {
  /** The device, unless the start fails or is aborted first. */
  readonly device: Promise<RemoteDevice>;
  /** Resolves when the session is active or its record has the reason why not. */
  readonly over: Promise<void>;
  readonly #opening: Promise<RemoteDevice>;
  #reject: (error: ServiceError) => void = () => undefined;
  #finish: () => void = () => undefined;
  #failure: StartFailure | undefined;

  constructor(opening: Promise<RemoteDevice>) {
    this.#opening = opening;
    this.device = new Promise((resolve, reject) => {
      this.#reject = reject;
      opening.then(resolve, reject);
    });
    this.over = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Aborts the start; the first failure stands. Without effect if the device has arrived. */
  stop(failure: StartFailure): void {
    this.#failure ??= failure;
    this.#reject(failure.refusal);
  }

  /**
   * Called when the creation stops waiting for the device: gives the reason, and closes a device that arrives late.
   * @param error the error that the wait ended with; a device's own message reaches the creator
   */
  abandon(error: unknown): StartFailure {
    this.#opening.then((device) => device.close()).catch(() => undefined);
    if (error instanceof DeviceFault && error.kind === 'damaged') {
      const refusal = new ServiceError('snapshot_damaged', error.message);
      return this.#failure ?? { status: 'failed', reason: 'device_start_failed', refusal };
    }
    const why = error instanceof DeviceFault ? ` ${error.message}` : '';
    return (
      this.#failure ?? {
        status: 'failed',
        reason: 'device_start_failed',
        refusal: new ServiceError('simulator_unavailable', `The device did not become ready.${why}`, {
          retryAfterSeconds: 5,
        }),
      }
    );
  }

  finish(): void {
    this.#finish();
  }
}
