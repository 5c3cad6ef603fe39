/** The drivers of real devices. Virtual ones are made for each session and need no finding. */
export type DriverKind = 'android-emulator' | 'android-adb' | 'ios-simulator';

/**
 * The variables that the tools of real devices are told, and nothing else: no secret of the service and nothing that
 * would send them to another device gets there by inheritance.
 */
export type ToolEnvironment = Readonly<Record<string, string>>;

/** One entry of the settings, as a driver gets it. Plain data. */
export interface DeviceQuery {
  readonly driver: DriverKind;
  /** The part after the colon: `auto`, an AVD's name, a serial of adb, a UDID, a device type. */
  readonly which: string;
  /** How many of it, where each session gets one that is made for it; 1 where absent. */
  readonly count?: number;
  readonly tools: ToolEnvironment;
}

/** One device of this host. The driver that found it says what the facts mean. Plain data. */
export interface DeviceTarget {
  readonly driver: DriverKind;
  /** The same device has the same id for as long as this process lives. */
  readonly id: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly tools: ToolEnvironment;
}
