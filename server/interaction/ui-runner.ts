import { errorBody } from '@runcloud/protocol/terms';
import { DeviceFault } from '../device/fault.ts';
import type { LinkCall } from '../link/host-link.ts';
import type { CallKind } from '../link/messages.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import type { LogIds } from '../observe/log-ids.ts';
import { type Ending, endingOfFault } from './ending.ts';
import type { Request, Runner } from './request.ts';

type UiCall = LinkCall<Extract<CallKind, 'ui' | 'checkUi' | 'waitUi'>>;

/** Reads what is on a device's screen, or waits for something there. */
export class UiRunner implements Runner {
  readonly #device: RemoteDevice;
  readonly #ask: (device: RemoteDevice, about: LogIds) => UiCall;

  constructor(device: RemoteDevice, ask: (device: RemoteDevice, about: LogIds) => UiCall) {
    this.#device = device;
    this.#ask = ask;
  }

  start(request: Request): void {
    const { id, answered } = this.#ask(this.#device, { requestId: request.requestId });
    request.call = id;
    (answered as Promise<object>).then(
      (told) => request.finish({ status: 'completed', result: { ...told } }),
      (error) => request.finish(endingOf(error, request.requestedEnding)),
    );
  }

  stop({ call }: Request): void {
    if (call !== 0) this.#device.cancel(call);
  }
}

/** A wait that is out of time says what is there instead. */
function endingOf(error: unknown, requestedEnding: Ending | undefined): Ending {
  const ending = endingOfFault(error, requestedEnding);
  if (ending.status !== 'timed_out' || ending.error.code !== 'wait_timeout') return ending;
  return error instanceof DeviceFault ? { ...ending, error: errorBody('wait_timeout', error.message) } : ending;
}
