import type { LogQuery } from '@runcloud/protocol';
import type { Device } from '../device/driver.ts';
import { DeviceFault } from '../device/fault.ts';
import type { Crash } from '../device/logs.ts';
import { type LogRead, LogRing } from './log-ring.ts';

/** The log of one device, which is followed from the first time that somebody reads it, or that an app crashes. */
export class DeviceLogReader {
  readonly #logs: Device['logs'];
  #ring: LogRing | undefined;
  #followed: void | Promise<void> = undefined;

  /** @param crashed told of each crash once its line can be read */
  constructor({ logs }: Pick<Device, 'logs'>, crashed: (crash: Crash) => void = () => undefined) {
    this.#logs = logs;
    logs?.onCrash?.((crash) => crashed(this.#follow(logs).add({ ...crash, level: 'fatal' })));
  }

  async read(order: LogQuery): Promise<LogRead> {
    if (!this.#logs) throw new DeviceFault('unsupported', 'The log is not supported by this device.');
    const ring = this.#follow(this.#logs);
    await this.#followed;
    return ring.read(order);
  }

  #follow(logs: NonNullable<Device['logs']>): LogRing {
    if (this.#ring) return this.#ring;
    const ring = new LogRing();
    this.#ring = ring;
    this.#followed = logs.follow((line) => void ring.add(line));
    return ring;
  }
}
