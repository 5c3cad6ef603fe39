/** What apps ask people for. A device may know fewer. */
export const PERMISSIONS = [
  'calendar',
  'camera',
  'contacts',
  'location',
  'microphone',
  'notifications',
  'photos',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** `reset`: nobody has been asked, so that the app asks. */
export const ACCESSES = ['grant', 'revoke', 'reset'] as const;
export type Access = (typeof ACCESSES)[number];

export const PERMISSION_STATES = ['granted', 'denied', 'undecided'] as const;
export type PermissionState = (typeof PERMISSION_STATES)[number];
