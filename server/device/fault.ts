/**
 * How a device call can fail, told apart by whose fault it is:
 * `aborted` the caller's wish, `failed` the device could not, `unhandled` no app on the device takes it, `unavailable` the
 * device cannot take anything just now, `unreachable` nobody answers, `nonsense` a senseless answer, `unsupported` this
 * device has no way to do that, as turned out when it was asked.
 */
export type DeviceFaultKind =
  | 'aborted'
  | 'failed'
  | 'unhandled'
  | 'unavailable'
  | 'unreachable'
  | 'nonsense'
  | 'unsupported';

export class DeviceFault extends Error {
  readonly kind: DeviceFaultKind;
  /** Steps of a gesture that reached the device before the fault; absent for calls without steps. */
  readonly dispatchedSteps: number | undefined;

  constructor(kind: DeviceFaultKind, message: string, dispatchedSteps?: number) {
    super(message);
    this.name = 'DeviceFault';
    this.kind = kind;
    this.dispatchedSteps = dispatchedSteps;
  }
}
