/** What a credential may do in a session: `view` changes nothing on its device. */
export const ROLES = ['control', 'view'] as const;
export type Role = (typeof ROLES)[number];
