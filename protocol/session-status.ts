/** States of a session; the last three are ends. */
export const SESSION_STATUSES = ['starting', 'active', 'releasing', 'released', 'expired', 'failed'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];
