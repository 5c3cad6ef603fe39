/** Roles in a session: `control` may use the device, `view` may only watch. */
export const ROLES = ['control', 'view'] as const;
export type Role = (typeof ROLES)[number];
