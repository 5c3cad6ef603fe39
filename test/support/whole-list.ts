/** A page that holds all that a test makes. */
export const WHOLE = { limit: 1_000 } as const;
