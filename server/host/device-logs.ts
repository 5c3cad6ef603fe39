import type { LogQuery } from '@runcloud/protocol';
import type { Device } from '../device/driver.ts';
import { DeviceFault } from '../device/fault.ts';
import { type LogRead, LogRing } from './log-ring.ts';

/** The log of one device, which is followed from the first time that somebody reads it. */
export class DeviceLogReader {
  readonly #logs: Device['logs'];
  #ring: LogRing | undefined;
  #followed: void | Promise<void> = undefined;

  constructor({ logs }: Pick<Device, 'logs'>) {
    this.#logs = logs;
  }

  async read(order: LogQuery): Promise<LogRead> {
    if (!this.#logs) throw new DeviceFault('unsupported', 'The log is not supported by this device.');
    if (!this.#ring) {
      const ring = new LogRing();
      this.#ring = ring;
      this.#followed = this.#logs.follow((line) => ring.add(line));
    }
    await this.#followed;
    return this.#ring.read(order);
  }
}
