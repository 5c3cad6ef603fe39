import type { AddedMedia } from '@runcloud/protocol';
import type { RemoteDevice } from '../link/remote-device.ts';
import { endingOfFault } from './ending.ts';
import type { Request, Runner } from './request.ts';

/** Adds a picture or a video to the photo library of a device. */
export class MediaRunner implements Runner {
  readonly #device: RemoteDevice;
  readonly #media: Omit<AddedMedia, 'readBack'>;
  readonly #file: string;

  constructor(device: RemoteDevice, media: Omit<AddedMedia, 'readBack'>, file: string) {
    this.#device = device;
    this.#media = media;
    this.#file = file;
  }

  start(request: Request): void {
    const { name, mediaType } = this.#media;
    const asked = this.#device.addMedia({ name, mediaType, file: this.#file }, { requestId: request.requestId });
    request.call = asked.id;
    asked.answered.then(
      (told) => request.finish({ status: 'completed', result: { ...this.#media, ...told } }),
      (error) => request.finish(endingOfFault(error, request.requestedEnding)),
    );
  }

  stop({ call }: Request): void {
    if (call !== 0) this.#device.cancel(call);
  }
}
