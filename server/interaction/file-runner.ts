import type { FileOrder } from '../device/files.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import { endingOfFault } from './ending.ts';
import type { Request, Runner } from './request.ts';

/** Reads a folder of a device, or reads, writes or deletes a file. */
export class FileRunner implements Runner {
  readonly #device: RemoteDevice;
  readonly #order: FileOrder;

  constructor(device: RemoteDevice, order: FileOrder) {
    this.#device = device;
    this.#order = order;
  }

  start(request: Request): void {
    const { root, path } = this.#order;
    const { id, answered } = this.#device.files(this.#order, { requestId: request.requestId });
    request.call = id;
    answered.then(
      (told) => request.finish({ status: 'completed', result: { root, path, ...told } }),
      (error) => request.finish(endingOfFault(error, request.requestedEnding)),
    );
  }

  stop({ call }: Request): void {
    if (call !== 0) this.#device.cancel(call);
  }
}
