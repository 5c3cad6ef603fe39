import type { SnapshotRecord } from '@runcloud/protocol';
import { errorBody, ServiceError } from '@runcloud/protocol/terms';
import type { KeptFile } from '../device/driver.ts';
import { DeviceFault } from '../device/fault.ts';
import { isStorageError } from '../flow/storage-errors.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import { type Ending, endingOfFault } from './ending.ts';
import type { Request, Runner } from './request.ts';

/** Where the state of a device goes. */
export interface SnapshotPlace {
  readonly file: string;
  keep(kept: KeptFile): Promise<SnapshotRecord>;
  end(): Promise<void>;
}

/** Keeps the state of a device: its host writes a file, then it has its name. */
export class SnapshotRunner implements Runner {
  readonly #device: RemoteDevice;
  readonly #place: SnapshotPlace;

  constructor(device: RemoteDevice, place: SnapshotPlace) {
    this.#device = device;
    this.#place = place;
  }

  start(request: Request): void {
    const { id, answered } = this.#device.keep(this.#place.file, { requestId: request.requestId });
    request.call = id;
    void this.#run(answered, request).then((ending) => request.finish(ending));
  }

  async #run(answered: Promise<KeptFile>, request: Request): Promise<Ending> {
    try {
      return { status: 'completed', result: { ...(await this.#place.keep(await answered)) } };
    } catch (error) {
      if (error instanceof ServiceError) return { status: 'failed', error: error.toBody() };
      if (isStorageError(error) || (error instanceof DeviceFault && error.kind === 'unavailable')) {
        return { status: 'failed', error: errorBody('store_unavailable') };
      }
      return endingOfFault(error, request.requestedEnding);
    } finally {
      await this.#place.end();
    }
  }

  stop({ call }: Request): void {
    if (call !== 0) this.#device.cancel(call);
  }
}
