import type { UiFormat } from '@runcloud/protocol';
import type { RemoteDevice } from '../link/remote-device.ts';
import { endingOfFault } from './ending.ts';
import type { Request, Runner } from './request.ts';

/** Reads what is on a device's screen. */
export class UiRunner implements Runner {
  readonly #device: RemoteDevice;
  readonly #format: UiFormat;

  constructor(device: RemoteDevice, format: UiFormat) {
    this.#device = device;
    this.#format = format;
  }

  start(request: Request): void {
    const { id, answered } = this.#device.ui(this.#format, { requestId: request.requestId });
    request.call = id;
    answered.then(
      (told) => request.finish({ status: 'completed', result: { ...told } }),
      (error) => request.finish(endingOfFault(error, request.requestedEnding)),
    );
  }

  stop({ call }: Request): void {
    if (call !== 0) this.#device.cancel(call);
  }
}
