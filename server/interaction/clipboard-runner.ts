import type { RemoteDevice } from '../link/remote-device.ts';
import { endingOfFault } from './ending.ts';
import type { Request, Runner } from './request.ts';

/** Reads the clipboard of a device, or writes a text to it and reads it back. */
export class ClipboardRunner implements Runner {
  readonly #device: RemoteDevice;
  readonly #text: string | undefined;

  /** @param text absent to read alone */
  constructor(device: RemoteDevice, text?: string) {
    this.#device = device;
    this.#text = text;
  }

  start(request: Request): void {
    const { id, answered } = this.#device.clipboard(this.#text, { requestId: request.requestId });
    request.call = id;
    answered.then(
      (held) => request.finish({ status: 'completed', result: { ...held } }),
      (error) => request.finish(endingOfFault(error, request.requestedEnding)),
    );
  }

  stop({ call }: Request): void {
    if (call !== 0) this.#device.cancel(call);
  }
}
