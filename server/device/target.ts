/** The drivers of real devices. Virtual devices are created for each session and need no discovery. */
export type DriverKind = 'android-emulator' | 'android-adb' | 'ios-simulator';

/**
 * The complete environment of the tools of real devices. The service's own environment is not inherited: it may contain secrets
 * and variables that select another device.
 */
export type ToolEnvironment = Readonly<Record<string, string>>;

/** One entry of the settings, as a driver gets it. Plain data. */
export interface DeviceQuery {
  readonly driver: DriverKind;
  /** The part after the colon: `auto`, an AVD's name, a serial of adb, a UDID, a device type. */
  readonly which: string;
  /** Number of devices, if each session gets a new one; default 1. */
  readonly count?: number;
  readonly tools: ToolEnvironment;
}

/** One device of this host. Its driver defines the meaning of the fields. Plain data. */
export interface DeviceTarget {
  readonly driver: DriverKind;
  /** Stable for the lifetime of this process. */
  readonly id: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly tools: ToolEnvironment;
}
