/**
 * The ways a device call can fail: `aborted` the caller cancelled it, `failed` the device could not do it, `unhandled`
 * no app on the device takes it, `missing` the device has no such app, `unavailable` the device cannot take anything at the moment, `unreachable` the device
 * does not answer, `nonsense` the answer is invalid, `unsupported` the device turned out to have no way to do it.
 */
export type DeviceFaultKind =
  | 'aborted'
  | 'failed'
  | 'unhandled'
  | 'missing'
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
