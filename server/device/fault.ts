/**
 * The ways a device call can fail: `aborted` the caller cancelled it, `failed` the device could not do it, `unhandled`
 * no app on the device takes it, `missing` the device has no such app, `unavailable` the device cannot take anything at the moment, `unreachable` the device
 * does not answer, `full` the disk of its host has no room for what it gives, `damaged` what it was to begin with cannot be read, `nonsense` the answer is invalid, `unsupported` the device turned out to have no way to do it.
 */
export type DeviceFaultKind =
  | 'aborted'
  | 'failed'
  | 'unhandled'
  | 'missing'
  | 'unavailable'
  | 'unreachable'
  | 'full'
  | 'damaged'
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

/**
 * Why the element that an action names cannot be used: `expired`, `otherFrame` and `notIssued` are said of its ref, `absent` where the
 * screen has no such element, `several` where it has more than one, `disabled` where it cannot be used now.
 */
export type TargetFaultKind = 'expired' | 'otherFrame' | 'notIssued' | 'absent' | 'several' | 'disabled';

/** The device can, but the element that the action names cannot be used. */
export class TargetFault extends DeviceFault {
  readonly target: TargetFaultKind;

  constructor(target: TargetFaultKind, message: string) {
    super('failed', message);
    this.target = target;
  }
}
