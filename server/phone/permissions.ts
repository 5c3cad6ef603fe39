import type { Decision, Permission, PermissionState } from '@runcloud/protocol';

/** What is in force of one permission of an app. */
export function permissionState(decisions: readonly Decision[], app: string, permission: Permission): PermissionState {
  const decided = decisions.find((one) => one.app === app && one.permission === permission);
  if (!decided) return 'undecided';
  return decided.granted ? 'granted' : 'denied';
}
